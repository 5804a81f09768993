import type { Kind } from './secret-kinds.ts';
import { type Dice, HEX, kind, LOWER, UPPER, URL64, uuid, WORD } from './secret-kinds.ts';

const DIGITS = '0123456789';
const CAPITALS = UPPER + DIGITS;
const SMALL = LOWER + DIGITS;

/** A prefix, and letters of one kind: as most issuers have it. */
function prefixed(name: string, variable: string, prefix: string, length: number, letters = WORD): Kind {
  return kind(name, variable, (d) => `${prefix}${d.text(length, letters)}`);
}

/** Tokens of more issuers, in the form that each documents. */
export const ISSUED_KINDS: readonly Kind[] = [
  prefixed('xAI', 'XAI_API_KEY', 'xai-', 80),
  prefixed('Groq', 'GROQ_API_KEY', 'gsk_', 52),
  prefixed('Perplexity', 'PERPLEXITY_API_KEY', 'pplx-', 48),
  prefixed('OpenRouter', 'OPENROUTER_API_KEY', 'sk-or-v1-', 64, HEX),
  prefixed('Replicate', 'REPLICATE_API_TOKEN', 'r8_', 37),
  prefixed('NVIDIA', 'NVIDIA_API_KEY', 'nvapi-', 64, URL64),
  prefixed('Fireworks', 'FIREWORKS_API_KEY', 'fw_', 24),
  kind('LangSmith', 'LANGSMITH_API_KEY', (d) => `lsv2_pt_${d.text(32, HEX)}_${d.text(10, HEX)}`),
  prefixed('Pinecone', 'PINECONE_API_KEY', 'pcsk_', 60),
  prefixed('Tavily', 'TAVILY_API_KEY', 'tvly-', 32),
  prefixed('Google refresh', 'GOOGLE_REFRESH_TOKEN', '1//0', 60, URL64),
  prefixed('Fly', 'FLY_API_TOKEN', 'fm2_', 120, `${WORD}+/`),
  prefixed('Supabase', 'SUPABASE_TOKEN', 'sbp_', 40, HEX),
  prefixed('PlanetScale', 'PLANETSCALE_TOKEN', 'pscale_tkn_', 43, URL64),
  prefixed('Neon', 'NEON_API_KEY', 'napi_', 64, SMALL + UPPER),
  prefixed('Netlify', 'NETLIFY_AUTH_TOKEN', 'nfp_', 36),
  prefixed('Vercel', 'VERCEL_TOKEN', 'vcp_', 56),
  prefixed('Tailscale', 'TAILSCALE_AUTH_KEY', 'tskey-auth-', 40),
  prefixed('Atlassian', 'JIRA_API_TOKEN', 'ATATT3xFf', 180, URL64),
  prefixed('Bitbucket', 'BITBUCKET_TOKEN', 'ATBB', 32),
  prefixed('Notion', 'NOTION_TOKEN', 'ntn_', 46),
  kind('Airtable', 'AIRTABLE_TOKEN', (d) => `pat${d.text(14, WORD)}.${d.text(64, HEX)}`),
  prefixed('Figma', 'FIGMA_TOKEN', 'figd_', 40, URL64),
  kind('Asana', 'ASANA_TOKEN', (d) => `1/${d.text(16, '123456789')}:${d.text(32, HEX)}`),
  prefixed('Sentry', 'SENTRY_AUTH_TOKEN', 'sntryu_', 64, HEX),
  prefixed('New Relic', 'NEW_RELIC_API_KEY', 'NRAK-', 27, CAPITALS),
  kind('Grafana', 'GRAFANA_TOKEN', (d) => `glsa_${d.text(32, WORD)}_${d.text(8, HEX)}`),
  kind('Postman', 'POSTMAN_API_KEY', (d) => `PMAK-${d.text(24, HEX)}-${d.text(34, HEX)}`),
  prefixed('Doppler', 'DOPPLER_TOKEN', 'dp.st.prd.', 40),
  kind('Terraform', 'TF_TOKEN', (d) => `${d.text(14, WORD)}.atlasv1.${d.text(67, WORD)}`),
  prefixed('Pulumi', 'PULUMI_ACCESS_TOKEN', 'pul-', 40, HEX),
  prefixed('RubyGems', 'GEM_API_KEY', 'rubygems_', 48, HEX),
  prefixed('crates.io', 'CARGO_TOKEN', 'cio', 32),
  prefixed('NuGet', 'NUGET_API_KEY', 'oy2', 43, SMALL),
  prefixed('Artifactory', 'ARTIFACTORY_API_KEY', 'AKCp', 69),
  prefixed('Sourcegraph', 'SRC_ACCESS_TOKEN', 'sgp_', 40, HEX),
  prefixed('Buildkite', 'BUILDKITE_TOKEN', 'bkua_', 40, HEX),
  prefixed('SonarQube', 'SONAR_TOKEN', 'squ_', 40, HEX),
  kind('LaunchDarkly', 'LD_SDK_KEY', (d) => `sdk-${uuid(d)}`),
  kind('HubSpot', 'HUBSPOT_TOKEN', (d) => `pat-na1-${uuid(d)}`),
  prefixed('Square', 'SQUARE_TOKEN', 'sq0atp-', 22, URL64),
  kind('Plaid', 'PLAID_TOKEN', (d) => `access-production-${uuid(d)}`),
  prefixed('Razorpay', 'RAZORPAY_KEY', 'rzp_live_', 14),
  prefixed('Facebook', 'FB_TOKEN', 'EAA', 160),
  prefixed('Dropbox', 'DROPBOX_TOKEN', 'sl.u.', 140, URL64),
  prefixed('PostHog', 'POSTHOG_KEY', 'phx_', 43),
  kind('Resend', 'RESEND_API_KEY', (d) => `re_A4${d.text(6, WORD)}_${d.text(24, WORD)}`),
  kind('Brevo', 'BREVO_API_KEY', (d) => `xkeysib-${d.text(64, HEX)}-${d.text(16, WORD)}`),
  kind('Mailchimp', 'MAILCHIMP_API_KEY', (d) => `${d.text(32, HEX)}-us${1 + Math.floor(d.next() * 20)}`),
  prefixed('Alibaba', 'ALIBABA_ACCESS_KEY', 'LTAI', 20),
  prefixed('Tencent', 'TENCENT_SECRET_ID', 'AKID', 32),
  prefixed('Yandex', 'YANDEX_API_KEY', 'AQVN', 36, URL64),
  kind('Dynatrace', 'DT_TOKEN', (d) => `dt0c01.${d.text(24, CAPITALS)}.${d.text(64, CAPITALS)}`),
  prefixed('Contentful', 'CONTENTFUL_TOKEN', 'CFPAT-', 43, URL64),
  kind('Trello', 'TRELLO_TOKEN', (d: Dice) => `ATTA${d.text(64, HEX)}`),
];
