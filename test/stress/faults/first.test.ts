import { playQuarter } from './play.ts';

playQuarter(0);
