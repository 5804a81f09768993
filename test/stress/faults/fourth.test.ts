import { playQuarter } from './play.ts';

playQuarter(3);
