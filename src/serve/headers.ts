export type Headers = Readonly<Record<string, string>>;

/** Pages without scripts that load nothing but our own style, and send forms nowhere but here. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What every answer says, whatever it is: nobody embeds it, reads it from elsewhere, keeps it, or learns where we came from. */
const ALWAYS: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** `policy` for a page that brings its own. */
export function headersFor(type: string, policy: string = POLICY): Headers {
  return { ...ALWAYS, 'Content-Type': type, 'Content-Security-Policy': policy };
}
