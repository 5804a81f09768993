import { Fault } from '../fault.ts';

/** Text to append to the file that GITHUB_OUTPUT names: each value between lines that it cannot contain. */
export function printOutputs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${nameOf(name)}<<${fenceFor(value)}\n${value}\n${fenceFor(value)}\n`)
    .join('');
}

function fenceFor(value: string): string {
  const lines = new Set(value.split(/\r?\n/));
  for (let i = 0; ; i++) if (!lines.has(`END_${i}`)) return `END_${i}`;
}

/** Azure reads such lines from standard output: https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands */
export function printAzureOutputs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `##vso[task.setvariable variable=${nameOf(name)};isOutput=true]${escaped(value)}\n`)
    .join('');
}

/** `file` has to be an absolute path of a Markdown file. */
export function printAzureSummary(file: string): string {
  return `##vso[task.uploadsummary]${escaped(file)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%AZP25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function nameOf(name: string): string {
  if (/^[a-z][a-z0-9_-]{0,63}$/i.test(name)) return name;
  throw new Fault('bug', `"${name}" cannot be the name of an output`);
}
