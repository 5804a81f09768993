/**
 * Secrets of every kind, none of them real: made of dice with a fixed seed, in the form that the issuer documents. Put together here from
 * pieces, so that no scanner takes this file for a leak.
 */
export interface Planted {
  /** What a person or a program writes down. */
  readonly text: string;
  /** The part of it that must not be stored. */
  readonly secret: string;
}

export interface Kind {
  readonly name: string;
  /** What its variable is called. */
  readonly variable: string;
  make(dice: Dice): Planted;
}

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
export const WORD = LOWER + UPPER + DIGITS;
export const HEX = `${DIGITS}abcdef`;
const BASE64 = `${WORD}+/`;
export const URL64 = `${WORD}-_`;

/** The same numbers each time (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  text(length: number, letters: string): string {
    return Array.from({ length }, () => letters[Math.floor(this.next() * letters.length)]).join('');
  }
}

const whole = (text: string): Planted => ({ text, secret: text });

export function kind(name: string, variable: string, make: (dice: Dice) => string): Kind {
  return { name, variable, make: (dice) => whole(make(dice)) };
}

/** An address with a password in it: only the password is secret. */
function address(name: string, scheme: string, rest: string): Kind {
  return {
    name,
    variable: 'DATABASE_URL',
    make: (dice) => {
      const secret = dice.text(14, WORD);
      return { text: `${scheme}://ada:${secret}@${rest}`, secret };
    },
  };
}

/** Something that everybody may know, and then the secret. */
function after(name: string, variable: string, make: (dice: Dice) => readonly [string, string]): Kind {
  return {
    name,
    variable,
    make: (dice) => {
      const [before, secret] = make(dice);
      return { text: before + secret, secret };
    },
  };
}

/** A block of a private key, its lines of base64. */
function block(name: string, label: string): Kind {
  return {
    name,
    variable: 'PRIVATE_KEY',
    make: (dice) => {
      const lines = Array.from({ length: 6 }, () => dice.text(64, BASE64));
      const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} ${label}-----`);
      return { text: [begin, ...lines, end].join('\n'), secret: lines.join('\n') };
    },
  };
}

const PRIVATE = ['PRIVATE', 'KEY'].join(' ');

function jwt(dice: Dice): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: dice.text(10, DIGITS) })}.${dice.text(43, URL64)}`;
}

export function uuid(dice: Dice): string {
  return [8, 4, 4, 4, 12].map((length) => dice.text(length, HEX)).join('-');
}

/** Letters, digits and a sign, as password managers make them. */
function password(dice: Dice): string {
  return `${dice.text(5, LOWER)}${dice.text(2, DIGITS)}!${dice.text(4, WORD)}${dice.text(1, DIGITS)}`;
}

export const KINDS: readonly Kind[] = [
  kind('AWS access key', 'AWS_ACCESS_KEY_ID', (d) => `AKIA${d.text(16, `${UPPER}234567`)}`),
  kind('AWS secret key', 'AWS_SECRET_ACCESS_KEY', (d) => d.text(40, BASE64)),
  kind('AWS session token', 'AWS_SESSION_TOKEN', (d) => `IQoJb3JpZ2lu${d.text(300, BASE64)}==`),
  kind('Google API key', 'GOOGLE_API_KEY', (d) => `AIza${d.text(35, URL64)}`),
  kind('Google OAuth token', 'GOOGLE_TOKEN', (d) => `ya29.${d.text(60, URL64)}`),
  kind('Google client secret', 'GOOGLE_CLIENT_SECRET', (d) => `GOCSPX-${d.text(28, URL64)}`),
  kind('Azure storage key', 'AZURE_STORAGE_KEY', (d) => `${d.text(86, BASE64)}==`),
  kind('Azure client secret', 'AZURE_CLIENT_SECRET', (d) => `${d.text(3, WORD)}8Q~${d.text(34, `${WORD}_.-`)}`),
  kind('GitHub classic', 'GITHUB_TOKEN', (d) => `ghp_${d.text(36, WORD)}`),
  kind('GitHub fine-grained', 'GITHUB_TOKEN', (d) => `github_pat_${d.text(22, WORD)}_${d.text(59, WORD)}`),
  kind('GitHub app', 'GITHUB_TOKEN', (d) => `ghs_${d.text(36, WORD)}`),
  kind('GitHub OAuth', 'GITHUB_TOKEN', (d) => `gho_${d.text(36, WORD)}`),
  kind('GitLab personal', 'GITLAB_TOKEN', (d) => `glpat-${d.text(20, URL64)}`),
  kind(
    'GitLab runner, deploy, CI',
    'GITLAB_TOKEN',
    (d) => `gl${['rt', 'dt', 'ptt', 'soat'][(d.next() * 4) | 0]}-${d.text(20, URL64)}`,
  ),
  kind('Slack bot', 'SLACK_TOKEN', (d) => `xoxb-${d.text(12, DIGITS)}-${d.text(13, DIGITS)}-${d.text(24, WORD)}`),
  kind(
    'Slack app',
    'SLACK_APP_TOKEN',
    (d) => `xapp-1-A${d.text(10, UPPER + DIGITS)}-${d.text(13, DIGITS)}-${d.text(64, HEX)}`,
  ),
  after('Slack webhook', 'SLACK_WEBHOOK_URL', (d) => [
    `https://hooks.slack.com/services/T${d.text(8, UPPER)}/`,
    `B${d.text(10, UPPER)}/${d.text(24, WORD)}`,
  ]),
  kind('Stripe live', 'STRIPE_KEY', (d) => `sk_live_${d.text(24, WORD)}`),
  kind('Stripe restricted', 'STRIPE_KEY', (d) => `rk_live_${d.text(99, WORD)}`),
  kind('Stripe webhook', 'STRIPE_WEBHOOK_SECRET', (d) => `whsec_${d.text(32, WORD)}`),
  kind('npm', 'NPM_TOKEN', (d) => `npm_${d.text(36, WORD)}`),
  kind('PyPI', 'PYPI_TOKEN', (d) => `pypi-AgEIcHlwaS5vcmc${d.text(150, URL64)}`),
  kind('Docker Hub', 'DOCKER_TOKEN', (d) => `dckr_pat_${d.text(27, URL64)}`),
  kind('OpenAI classic', 'OPENAI_API_KEY', (d) => `sk-${d.text(48, WORD)}`),
  kind('OpenAI project', 'OPENAI_API_KEY', (d) => `sk-proj-${d.text(74, URL64)}T3BlbkFJ${d.text(74, URL64)}`),
  kind('Anthropic', 'ANTHROPIC_API_KEY', (d) => `sk-ant-api03-${d.text(93, URL64)}AA`),
  kind('Hugging Face', 'HF_TOKEN', (d) => `hf_${d.text(34, LOWER + UPPER)}`),
  kind('JWT', 'SESSION_TOKEN', jwt),
  block('RSA key', `RSA ${PRIVATE}`),
  block('EC key', `EC ${PRIVATE}`),
  block('PKCS #8 key', PRIVATE),
  block('encrypted key', `ENCRYPTED ${PRIVATE}`),
  block('OpenSSH key', `OPENSSH ${PRIVATE}`),
  block('PGP key', `PGP ${PRIVATE} BLOCK`),
  address('basic auth URL', 'https', 'example.com/private'),
  address('Postgres URL', 'postgresql', 'db.example.com:5432/app?sslmode=require'),
  address('MongoDB URL', 'mongodb+srv', 'cluster0.example.net/app'),
  address('Redis URL', 'rediss', 'cache.example.com:6380/0'),
  address('AMQP URL', 'amqps', 'mq.example.com/vhost'),
  kind('SendGrid', 'SENDGRID_API_KEY', (d) => `SG.${d.text(22, URL64)}.${d.text(43, URL64)}`),
  kind('Mailgun', 'MAILGUN_API_KEY', (d) => `key-${d.text(32, HEX)}`),
  kind('Twilio key', 'TWILIO_API_KEY', (d) => `SK${d.text(32, HEX)}`),
  kind('Twilio auth token', 'TWILIO_AUTH_TOKEN', (d) => d.text(32, HEX)),
  after('Telegram bot', 'TELEGRAM_TOKEN', (d) => [`${d.text(10, '123456789')}:`, `AA${d.text(33, URL64)}`]),
  kind('Discord bot', 'DISCORD_TOKEN', (d) => `M${d.text(25, WORD)}.G${d.text(5, WORD)}.${d.text(38, URL64)}`),
  after('Discord webhook', 'DISCORD_WEBHOOK', (d) => [
    `https://discord.com/api/webhooks/${d.text(18, DIGITS)}/`,
    d.text(68, URL64),
  ]),
  kind('DigitalOcean', 'DIGITALOCEAN_TOKEN', (d) => `dop_v1_${d.text(64, HEX)}`),
  kind('Shopify', 'SHOPIFY_TOKEN', (d) => `shpat_${d.text(32, HEX)}`),
  kind('Linear', 'LINEAR_API_KEY', (d) => `lin_api_${d.text(40, WORD)}`),
  kind('Vault', 'VAULT_TOKEN', (d) => `hvs.${d.text(95, URL64)}`),
  kind('Databricks', 'DATABRICKS_TOKEN', (d) => `dapi${d.text(32, HEX)}`),
  kind('Heroku', 'HEROKU_API_KEY', uuid),
  kind('age key', 'AGE_KEY', (d) => `AGE-SECRET-KEY-1${d.text(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`),
  kind('generic API key', 'SERVICE_API_KEY', (d) => d.text(32, WORD)),
  kind('generic secret', 'CLIENT_SECRET', (d) => d.text(40, URL64)),
  kind('generic password', 'DB_PASSWORD', password),
];
