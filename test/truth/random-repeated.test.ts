import { wanders } from './random.ts';

wanders('repeated');
