import { holdsPlace } from './looks.ts';
import type { Rule } from './rule.ts';

const HEX32 = '[0-9a-f]{32}';
const HEX40 = '[0-9a-f]{40}';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Behind a prefix that names of functions have, too: capitals and digits both. */
const MIXED = String.raw`(?=[\w.-]{0,60}?\d)(?=[\w.-]{0,60}?[A-Z])`;

const CODE = [
  String.raw`gh[pousr]_\w{20,300}|github_pat_\w{20,300}|GR1348941[\w-]{20,30}`,
  String.raw`gl(?:pat|rt|dt|ptt|cbt|ft|soat|agent|imt|oas|ffct|wt)-[\w.-]{16,300}`,
  String.raw`npm_\w{30,60}|pypi-[\w-]{40,300}|rubygems_[0-9a-f]{48}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32}|CLOJARS_[0-9a-f]{60}`,
  String.raw`dckr_[a-z]{3}_[\w-]{20,60}|AKCp[A-Za-z0-9]{40,80}|cmVmdGtu[A-Za-z0-9+/=]{40,80}`,
  String.raw`sgp_(?:[0-9a-f]{16}_|local_)?${HEX40}|slk_[0-9a-f]{64}|bk(?:ua|ct|aj|pt|rt|st)_${HEX40}|CCI(?:PAT|PRJ)_\w{30,100}`,
  String.raw`sq[upa]_${HEX40}|snyk_\w{3}\.[\w.-]{20,300}|ATBB[A-Za-z0-9]{24,40}|AT(?:ATT|CTT|OA|ST)3[\w-]{50,400}={0,1}[\w-]{0,20}`,
  String.raw`lin_(?:api|oauth)_\w{30,80}|ATTA[0-9a-f]{64}|pul-${HEX40}`,
  String.raw`dd[pow]_[A-Za-z0-9]{36}|API-[A-Z0-9]{25,32}|nvapi-[\w-]{40,100}|dop?[oprt]?_v1_\w{40,80}`,
];

const CLOUDS = [
  String.raw`A(?:KI|SI|BI|CC)A[0-9A-Z]{16}(?![0-9A-Za-z])|(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[\w+/]{100,2000}={0,2}|ABSK[\w+/]{80,200}={0,2}`,
  String.raw`AIza[\w-]{30,60}|ya29\.[\w-]{20,300}|GOCSPX-[\w-]{20,60}|1//0[\w-]{30,200}|AQ\.Ab8[\w-]{30,100}`,
  String.raw`LTAI[A-Za-z0-9]{12,26}|AKID[A-Za-z0-9]{28,40}|AKLT[\w+/]{30,60}|AQVN[\w-]{35,40}|y[0-3]__?[\w-]{30,100}|YC[MNOP][\w-]{35,40}`,
  String.raw`t1\.[A-Za-z0-9][\w.-]{40,400}={0,2}|bce-v3/[\w/-]{30,100}`,
  String.raw`hv[sbr]\.[\w-]{24,300}|s\.${MIXED}[A-Za-z0-9]{24}\b|d(?:api|kea|ose)${HEX32}(?:-\d)?|fm[12][ar]?_[\w+/]{30,2000}={0,2}|fo1_[\w-]{30,60}`,
  String.raw`sbp_(?:v0_|oauth_)?${HEX40}|sb_secret_[\w-]{20,60}|pscale_(?:tkn|pw|oauth)_[\w.=-]{20,80}|n(?:api|pg)_${MIXED}[A-Za-z0-9]{12,80}`,
  String.raw`HRKU-[\w-]{30,80}|nfp_\w{30,60}|vc[pkiacr]_${MIXED}[A-Za-z0-9]{20,80}|vercel_blob_rw_\w{20,80}|v1\.0-[0-9a-f]{24}-[0-9a-f]{60,200}`,
  String.raw`cf(?:ut|at|k)_[A-Za-z0-9]{40,60}|tskey-[a-z]{3,12}-[\w-]{16,80}|xau_[A-Za-z0-9]{30,60}|sha256~[\w-]{43}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}`,
  String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,100}|ops_eyJ[\w-]{100,2000}={0,2}|A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,6}){4,5}`,
  String.raw`AGE-SECRET-KEY-1[\dA-Z]{40,60}|AGE-PLUGIN-[A-Z0-9-]{1,40}-1[0-9A-Z]{20,200}|[xyzt]prv[A-Za-z0-9]{100,112}|nsec1[a-z0-9]{58}`,
];

const MODELS = [
  String.raw`sk-[\w-]{16,300}|hf_\w{30,60}|api_org_\w{30,60}|r8_${MIXED}\w{30,60}|gsk_\w{40,80}|xai-\w{40,120}|pplx-\w{30,80}`,
  String.raw`fw_${MIXED}[A-Za-z0-9]{20,60}|lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{6,16}|ls__[0-9a-f]{32}|pcsk_\w{30,100}|csk-[a-z0-9]{40,60}`,
  String.raw`tvly-[\w-]{20,60}|fc-${HEX32}|e2b_${HEX40}|jina_[0-9a-f]{32}\w{20,40}|wandb_v1_\w{30,100}|sk_[0-9a-f]{48}|rpa_[A-Z0-9]{30,60}`,
  String.raw`pa-${MIXED}[\w-]{40,50}|(?:ak|as)-${MIXED}[A-Za-z0-9]{22}\b|ctx7sk-[\w-]{30,60}|BSA${MIXED}[\w-]{24,30}`,
];

const PAYMENT = [
  String.raw`(?:sk|rk|pk)_(?:live|test)_\w{10,200}|whsec_[\w+/]{20,100}={0,2}|sq0[a-z]{3}-[\w-]{22,50}|EAAA[\w-]{55,65}`,
  String.raw`access_token\$(?:production|sandbox)\$\w{10,20}\$${HEX32}|access-(?:sandbox|development|production)-${UUID}`,
  String.raw`rzp_(?:live|test)_\w{14,30}|FLWSECK(?:_TEST)?-[\w-]{12,50}|shippo_(?:live|test)_${HEX40}|duffel_(?:live|test)_[\w-]{40,50}`,
  String.raw`EZ[AT]K[A-Za-z0-9]{54}|(?:live|test)_pub_[0-9a-f]{31}|(?:live|test)_[0-9a-f]{35}\b|cal_(?:live|test)_[0-9a-f]{32}|shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32,64}`,
];

const MESSAGES = [
  String.raw`xox[abceoprsd](?:\.xox[bp])?-[\w%-]{10,400}|xapp-[\w-]{20,300}|SG\.[\w-]{16,40}\.[\w-]{16,60}|key-${HEX32}|SK${HEX32}`,
  String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}|re_${MIXED}[A-Za-z0-9]{7,10}_[A-Za-z0-9]{16,40}`,
  String.raw`xkeysib-[0-9a-f]{64}-\w{10,20}|xsmtpsib-[0-9a-f]{64}-\w{10,20}|EAA[A-Za-z0-9]{60,300}|AAAAAAAA[A-Z]{6,20}[\w%]{30,120}`,
  String.raw`sl\.(?:u\.)?[\w-]{60,1500}|oauth:[a-z0-9]{30}\b|pat-(?:na|eu|ap)\d-${UUID}`,
];

const WORK = [
  String.raw`ntn_[A-Za-z0-9]{30,60}|secret_${MIXED}[A-Za-z0-9]{30,60}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|fig[dourh]{1,2}_[\w-]{30,60}|tfp_[\w.-]{40,80}`,
  String.raw`[012]/\d{10,20}(?:/\d{10,20})?:${HEX32}|sntry[sua]_[\w+/=-]{40,400}|NR(?:AK|II|JS|IQ|RA|AA)-[\w-]{20,60}|gl(?:c|sa)_[\w+/=]{30,300}`,
  String.raw`eyJrIjoi[\w+/=-]{40,400}|PMA[KT]-[\w-]{40,80}|(?:sdk|api|mob)-${UUID}|ph[csxr]_[A-Za-z0-9]{30,60}|xa[ap]t-${UUID}|hc[abxi]{1,2}ik_[\w-]{40,80}`,
  String.raw`CFPAT-[\w-]{40,60}|rdme_[a-z0-9]{60,80}|pn[ub]_[A-Za-z0-9]{30,60}|ico-[A-Za-z0-9]{32}|dnkey-[\w=-]{26,100}|signkey-[a-z]{3,10}-[0-9a-f]{32,64}|sm_pat_\w{16,40}`,
  String.raw`[ps]k\.eyJ[\w-]{20,200}\.[\w-]{16,60}|00${MIXED}[\w-]{40}(?![\w-])|secret-(?:live|test)-[\w=-]{30,80}|p8e-[a-z0-9]{32}|cu_${HEX32}`,
];

/** A prefix alone is not enough: `sk-fading-circle-wrapper` is a style. */
function looksIssued(value: string): boolean {
  return !holdsPlace(value) && /[A-Z]|\d[^\d]{0,100}\d/.test(value);
}

// most words are too short for any of them, or have neither a digit nor a capital
const LONG = String.raw`(?<!\w-)(?=[a-z_./:$~%-]{0,28}[A-Z\d])(?=[\w$./:|~%-]{14})`;

/** What its issuer made easy to know. */
export const ISSUED: readonly Rule[] = [
  // the two parts of most, and what follows them for who reads more than they should
  { category: 'api_key', pattern: /\beyJ[\w-]{8,4000}\.[\w-]{8,8000}(?:\.[\w-]{8,2000}){0,3}/dg, clue: 'eyJ' },
  {
    category: 'api_key',
    pattern: new RegExp(
      String.raw`\b${LONG}(?:${[...CODE, ...CLOUDS, ...MODELS, ...PAYMENT, ...MESSAGES, ...WORK].join('|')})`,
      'dg',
    ),
    believes: looksIssued,
  },
  // Telegram's bots, Azure's clients: known by their middle, and looked for by it
  { category: 'api_key', pattern: /(?::AA(?<=\b\d{8,10}:AA)|Q~(?<=\b\w{3}[78]Q~))[\w.~-]{30,36}/dg },
  // private keys of which the first line is lost: RSA, PKCS #8, EC, OpenSSH
  {
    category: 'api_key',
    pattern:
      /\b(?:MI[\w+/]{3,6}(?:IBAAK|IBADANBgkqhkiG9w0BAQEFAASC|AgEAMBMGByqGSM49)|MHcCAQEE|b3BlbnNzaC1rZXktdjE)(?:[A-Za-z0-9+/=]|\\[nr]|\r?\n[+> ]{0,2}(?=[A-Za-z0-9+/=]{16})){16,8000}/dg,
  },
  // known by their middle or their end
  { category: 'api_key', clue: '-', pattern: /\b[0-9a-f]{32}-(?:us\d{1,2}|[0-9a-f]{8}-[0-9a-f]{8})\b/dg },
  { category: 'api_key', clue: '|', pattern: /\b\d{14,17}\|(?<secret>[\w-]{27})\b/dg },
];

/** What whoever knows such an address, or its middle, is let in by. */
export const ADDRESSES: readonly Rule[] = [
  { category: 'api_key', clue: '.atlasv1.', pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,100}/dg },
  // whoever knows such an address may write there
  {
    category: 'api_key',
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/(?<secret>[\w/-]{20,200})/dg,
    clue: '/webhooks/',
  },
  {
    category: 'api_key',
    pattern: /\bhooks\.slack\.com\/(?:workflows|triggers)\/(?<secret>[\w/-]{20,200})/dg,
    clue: 'hooks.slack',
  },
  {
    category: 'api_key',
    pattern: /\.webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{60,300})/dg,
    clue: 'webhookb2',
  },
  {
    category: 'api_key',
    pattern: /:\/\/(?<secret>[0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{0,100}sentry/dg,
    clue: 'sentry',
  },
  {
    category: 'api_key',
    pattern: /\botpauth:\/\/[^\s"'<>]{1,200}?secret=(?<secret>[A-Z2-7]{10,128})/dgi,
    clue: 'otpauth',
  },
];
