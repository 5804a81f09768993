import { wanders } from './random.ts';

wanders('unique');
