/**
 * Which provider answered stands in the user's configuration only, and that may be anybody. Anthropic's full ids, with their date, are
 * spelled so by nobody else.
 */
export function modelId(name: string | undefined): string | undefined {
  return name && name.length < 100 && /^claude-[a-z0-9]+(?:-[a-z0-9]+)*-\d{8}$/.test(name)
    ? `anthropic/${name}`
    : undefined;
}
