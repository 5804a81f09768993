/**
 * The models.dev id of a model that the transcript names. Only Anthropic's own full ids can be told for certain: not an alias
 * (`opus`, `claude-3-5-sonnet-latest`), not Bedrock's or Vertex's spelling, not what another provider's proxy answers with.
 */
export function modelId(raw: string | undefined): string | undefined {
  if (!raw || raw.length > 100 || !/^claude-[a-z0-9]+(?:-[a-z0-9]+)*$/.test(raw)) return undefined;
  return /-\d{8}$/.test(raw) || isUndated(raw) ? `anthropic/${raw}` : undefined;
}

/** Up to 4.5 every full id ended in a date, so that one without it is an alias; from 4.6 on none has one. */
function isUndated(raw: string): boolean {
  const [, major = '', minor = '0'] = /-(\d{1,2})(?:-(\d{1,2}))?(?![0-9])/.exec(raw) ?? [];
  return !raw.endsWith('-latest') && (Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 6));
}

/** The model name of texts that Claude Code made itself. */
export const SYNTHETIC = '<synthetic>';
