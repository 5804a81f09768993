import { playQuarter } from './play.ts';

playQuarter(1);
