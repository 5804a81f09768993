import type { ContributorType } from '../lines/origin.ts';

export interface Palette {
  readonly paper: string;
  readonly panel: string;
  readonly ink: string;
  readonly soft: string;
  readonly rule: string;
  readonly link: string;
  /** Of each kind: the colour, what is written on it, and what its pattern is drawn with. */
  readonly kinds: Readonly<Record<ContributorType, readonly [fill: string, on: string, pattern: string]>>;
  /** AI share from none to all: the colour, and what is written on it. */
  readonly steps: readonly (readonly [fill: string, on: string])[];
}

// violet, green, amber and grey differ in lightness too, so that they stay apart for those who see few colours
export const LIGHT: Palette = {
  paper: '#fdfcfa',
  panel: '#f5f2ec',
  ink: '#1f1d1a',
  soft: '#625d54',
  rule: '#e2ddd2',
  link: '#4c32ad',
  kinds: {
    ai: ['#5a3fc0', '#ffffff', '#5a3fc0'],
    mixed: ['#e8a33d', '#1f1d1a', '#b8741a'],
    human: ['#3ba58c', '#1f1d1a', '#2a8a73'],
    unknown: ['#d5d0c5', '#1f1d1a', '#a39d90'],
  },
  steps: [
    ['#ece8df', '#1f1d1a'],
    ['#d9d0f2', '#1f1d1a'],
    ['#b8a8e8', '#1f1d1a'],
    ['#7a60cf', '#ffffff'],
    ['#4a2fa8', '#ffffff'],
  ],
};

export const DARK: Palette = {
  paper: '#17161b',
  panel: '#201f26',
  ink: '#ebe8e1',
  soft: '#aaa49a',
  rule: '#37343d',
  link: '#b5a5ff',
  kinds: {
    ai: ['#8d75f0', '#17161b', '#8d75f0'],
    mixed: ['#e0a040', '#17161b', '#9c6412'],
    human: ['#63cdb1', '#17161b', '#3fa98d'],
    unknown: ['#4a4751', '#ebe8e1', '#76727f'],
  },
  steps: [
    ['#2b2931', '#ebe8e1'],
    ['#3a3260', '#ebe8e1'],
    ['#54459a', '#ffffff'],
    ['#8f79ea', '#17161b'],
    ['#c0b2ff', '#17161b'],
  ],
};

/** As custom properties. */
export function printPalette({ kinds, steps, ...plain }: Palette): string {
  const simple = Object.entries(plain).map(([key, colour]) => `--${key}:${colour}`);
  const four = Object.entries(kinds).flatMap(([kind, [fill, on, pattern]]) => [
    `--${kind}:${fill}`,
    `--on-${kind}:${on}`,
    `--pattern-${kind}:${pattern}`,
  ]);
  const scale = steps.flatMap(([fill, on], i) => [`--step-${i}:${fill}`, `--on-step-${i}:${on}`]);
  return [...simple, ...four, ...scale].join(';');
}
