/** Where secrets stand in what people and agents write. */
export interface Context {
  readonly name: string;
  /** Only for secrets of one line. */
  readonly oneLine?: true;
  write(variable: string, text: string): string;
}

const kebab = (variable: string) => variable.toLowerCase().replaceAll('_', '-');
const snake = (variable: string) => variable.toLowerCase();
const camel = (variable: string) => snake(variable).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const words = (variable: string) => snake(variable).replaceAll('_', ' ');

export const CONTEXTS: readonly Context[] = [
  { name: 'prompt', write: (v, t) => `Please deploy it. My ${words(v)} is ${t}\nThanks!` },
  { name: 'prompt, in brackets', oneLine: true, write: (v, t) => `Log in first (${words(v)}: ${t}), then try again.` },
  { name: 'prompt, in code', write: (v, t) => `The ${v} is \`${t}\`, keep it safe` },
  { name: 'env file', write: (v, t) => `PORT=80\n${v}=${t}\nDEBUG=1\n` },
  { name: 'env file, quoted', write: (v, t) => `${v}="${t}"\n` },
  { name: 'export', oneLine: true, write: (v, t) => `export ${v}=${t}; npm run deploy` },
  { name: 'command, variable before', oneLine: true, write: (v, t) => `${v}='${t}' npm publish --access public` },
  { name: 'command, option', oneLine: true, write: (v, t) => `deploy --${kebab(v)} ${t} --yes` },
  { name: 'command, option with =', oneLine: true, write: (v, t) => `deploy --yes --${kebab(v)}=${t}` },
  { name: 'JSON', write: (v, t) => JSON.stringify({ name: 'x', [camel(v)]: t, port: 80 }, null, 2) },
  { name: 'JSON in JSON', write: (v, t) => JSON.stringify({ body: JSON.stringify({ [snake(v)]: t }) }) },
  { name: 'YAML', oneLine: true, write: (v, t) => `app:\n  ${snake(v)}: ${t}\n  port: 80\n` },
  { name: 'YAML, quoted', oneLine: true, write: (v, t) => `  ${snake(v)}: '${t}'\n` },
  { name: 'YAML, name and value', oneLine: true, write: (v, t) => `env:\n  - name: ${v}\n    value: ${t}\n` },
  { name: 'TOML', oneLine: true, write: (v, t) => `[app]\n${snake(v)} = "${t}"\n` },
  { name: 'INI', oneLine: true, write: (v, t) => `[default]\n${snake(v)} = ${t}\n` },
  { name: 'properties', oneLine: true, write: (v, t) => `spring.${snake(v).replaceAll('_', '.')}=${t}\n` },
  { name: 'TypeScript', write: (v, t) => `const ${camel(v)} = \`${t}\`;\n` },
  { name: 'Python', oneLine: true, write: (v, t) => `os.environ["${v}"] = "${t}"\n` },
  { name: 'Ruby, PHP', oneLine: true, write: (v, t) => `'${snake(v)}' => '${t}',\n` },
  { name: 'Go', write: (v, t) => `${camel(v)} := "${t.replaceAll('\n', '\\n')}"\n` },
  { name: 'URL', oneLine: true, write: (v, t) => `curl "https://api.example.com/v1?${snake(v)}=${t}&page=2"` },
  { name: 'header', oneLine: true, write: (_, t) => `curl -H "Authorization: Bearer ${t}" https://example.com` },
  { name: 'header, own name', oneLine: true, write: (_, t) => `GET / HTTP/1.1\r\nX-Api-Key: ${t}\r\nAccept: */*\r\n` },
  { name: 'Dockerfile', oneLine: true, write: (v, t) => `FROM node\nENV ${v} ${t}\nRUN make\n` },
  { name: 'XML', write: (v, t) => `<config><${camel(v)}>${t}</${camel(v)}></config>` },
  { name: 'log line', oneLine: true, write: (v, t) => `2026-01-02T03:04:05Z DEBUG ${snake(v)}=${t} status=200` },
  {
    name: 'diff',
    write: (v, t) => `--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-${v}=\n+${`${v}=${t}`.replaceAll('\n', '\n+')}\n`,
  },
];
