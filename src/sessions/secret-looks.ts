/** Random letters change between digits, capitals and others all the time; words, versions and dates hardly. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/[a-z]/i.test(value) || isName(value)) return false;
  const groups = value.match(/\d{1,500}/g)?.length ?? 0;
  return groups >= 3 || (groups > 0 && countSwitches(value) * 5 >= value.length * 2);
}

/** Words, versions and dates: `anthropic/claude-opus-4-5-20251101`. */
function isName(value: string): boolean {
  return value.split(/[-._/:@]/).every((part) => /^(?:[a-z]{2,20}|v?\d{1,2}|20\d{2}|20\d{6})$/.test(part));
}

export function countSwitches(value: string): number {
  return value.match(/[a-z](?=[^a-z])|[A-Z](?=[^A-Z])|\d(?=\D)/g)?.length ?? 0;
}

/** Too weak where a file says `password = x`; enough where a person gives one. */
export function looksTyped(value: string): boolean {
  return /\d/.test(value) && /[a-z]/i.test(value) && !METHOD.test(value);
}

/** How passwords are kept: `base64-encoded`, `sha256`. */
const METHOD =
  /^(?:base(?:32|58|64)|sha-?[1-3]?(?:-?(?:224|256|384|512))?|md5|utf-?8|argon2(?:id?)?|pbkdf2|aes-?(?:128|192|256))(?:-[a-z]{2,20})*[.:!?]?$/i;

/** Says where a secret belongs. */
export function holdsPlace(value: string): boolean {
  return /x{5}|X{5}|(?<![a-z])your[_-]|\*{4}|\.{3}|…|<|(.)\1{7}/.test(value);
}
