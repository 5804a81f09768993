import type { Dice } from './secret-kinds.ts';

/** One secret in the one place where it stands in life; `§` is where. */
export interface Everyday {
  readonly name: string;
  readonly write: string;
  readonly make: (dice: Dice) => string;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const WORD = LOWER + UPPER + DIGITS;

/** Made by dice, so that the rules cannot know any of them. */
export const MAKERS = {
  /** As people choose them: a word, a year, a sign. */
  chosen: (d: Dice) => `${d.text(1, UPPER)}${d.text(5, LOWER)}${2000 + Math.floor(d.next() * 30)}!`,
  plain: (d: Dice) => `${d.text(6, LOWER)}${d.text(3, DIGITS)}`,
  signs: (d: Dice) => `${d.text(3, WORD)}$${d.text(3, WORD)}#${d.text(2, DIGITS)}&${d.text(3, LOWER)}`,
  words: (d: Dice) => Array.from({ length: 5 }, () => d.text(6, LOWER)).join(' '),
  hex: (d: Dice) => d.text(64, '0123456789abcdef'),
  base: (d: Dice) => `${d.text(43, `${WORD}+/`)}=`,
  made: (d: Dice) => `${d.text(3, LOWER)}${d.text(2, DIGITS)}${d.text(3, UPPER)}${d.text(40, WORD)}`,
  digits: (d: Dice) => `${d.text(1, '123456789')}${d.text(5, DIGITS)}`,
  code: (d: Dice) =>
    `${d.text(2, LOWER)}${d.text(2, DIGITS)}x-7${d.text(3, LOWER)}-${d.text(2, LOWER)}4${d.text(1, LOWER)}`,
} as const;

type Maker = keyof typeof MAKERS;

function all(maker: Maker, writings: Readonly<Record<string, string>>): Everyday[] {
  return Object.entries(writings).map(([name, write]) => ({ name, write, make: MAKERS[maker] }));
}

export const EVERYDAY: readonly Everyday[] = [
  ...all('chosen', {
    'said, short': 'pw: §',
    'said, with a use': 'ssh into the box, the password for root is § and then restart nginx',
    'said, now': "I changed it, the staging password is now '§'",
    'said, set to': 'the admin password was set to § yesterday',
    German: 'Das Passwort für die Datenbank lautet §, bitte eintragen',
    'German, short': 'Kennwort: §',
    French: "Le mot de passe de la base c'est §",
    'French, is': 'mon mot de passe est § merci',
    Spanish: 'La contraseña del servidor es §',
    Italian: 'La password del database è §',
    Portuguese: 'a senha do banco é §',
    Dutch: 'Het wachtwoord voor de server is §',
    Polish: 'Hasło do bazy to §',
    Swedish: 'Lösenordet är §',
    Russian: 'Пароль от базы: §',
    Japanese: 'データベースのパスワードは§です',
    Chinese: '数据库的密码是§，请使用它',
    Korean: '비밀번호는 § 입니다',
    Turkish: 'Şifre: §',
    'login with a slash': 'login is admin / §',
    'user and pass': 'user: deploy pass: §',
    'credentials with a colon': 'credentials are admin:§ on the test box',
    'log in as with': 'log in as admin with § and take a screenshot',
    'redis-cli': 'redis-cli -h cache -a § ping',
    'sudo -S': "echo '§' | sudo -S systemctl restart nginx",
    'sudo -S, no quotes': 'echo § | sudo -S apt update',
    ldapsearch: "ldapsearch -x -D cn=admin,dc=x -w '§' -b dc=x",
    keytool: 'keytool -genkey -alias x -keystore k.jks -storepass § -validity 365',
    'keytool, key': 'keytool -importkeystore -srckeystore a -destkeystore b -deststorepass §',
    smbclient: "smbclient //nas/share -U 'bob%§'",
    PowerShell: '$p = ConvertTo-SecureString "§" -AsPlainText -Force',
    'net use': 'net use Z: \\\\nas\\share § /user:bob',
    'net user': 'net user bob § /add',
    openssl: 'openssl enc -aes-256-cbc -in a -out b -pass pass:§',
    'openssl -passin': "openssl rsa -in key.pem -passin 'pass:§'",
    'openssl -k': 'openssl enc -d -aes256 -k § -in a',
    PGPASSWORD: 'PGPASSWORD=§ psql -h db -U app',
    mongosh: 'mongosh --host db -u root -p § admin',
    sqlcmd: "sqlcmd -S db -U sa -P '§' -Q 'select 1'",
    gpg: 'gpg --batch --passphrase § -c file',
    '7z': '7z a -p§ out.7z dir',
    zip: 'zip -r -P § out.zip dir',
    unzip: 'unzip -P § out.zip',
    rar: 'rar a -hp§ out.rar dir',
    htpasswd: 'htpasswd -bc .htpasswd admin §',
    chpasswd: "echo 'bob:§' | sudo chpasswd",
    wget: 'wget --user=bob --password=§ https://h/x',
    httpie: 'http -a bob:§ GET h/x',
    curl: 'curl -sS -u bob:§ https://h/x',
    lftp: "lftp -u bob,'§' sftp://h",
    ansible: 'ansible-playbook a.yml --extra-vars "db_password=§"',
    kubectl: 'kubectl create secret generic db --from-literal=password=§',
    vault: 'vault kv put secret/db password=§',
    'gh secret': "gh secret set DB_PASS --body '§'",
    heroku: 'heroku config:set DB_PASS=§ -a app',
    expect: 'expect "assword:"\nsend "§\\r"',
    xfreerdp: 'xfreerdp /v:h /u:bob /p:§',
    nmcli: "nmcli dev wifi connect Home password '§'",
    mysql: 'mysql -u root -p§ app',
    sshpass: "sshpass -p '§' ssh root@h",
    sqlplus: 'sqlplus scott/§@orcl',
    'useradd -p': "useradd -m -p '§' bob",
    properties: 'spring.datasource.url=x\nspring.datasource.password=§\n',
    'ansible vars': 'ansible_user: bob\nansible_become_pass: §\n',
    XML: '<db><user>x</user><password>§</password></db>',
    'XML, attribute': '<add key="db_pass" value="§"/>',
    'XML, property': '<property name="password" value="§"/>',
    plist: '<key>password</key>\n<string>§</string>',
    HCL: 'variable "db_password" {\n  type    = string\n  default = "§"\n}',
    netrc: 'machine h login bob password §',
    pgpass: 'localhost:5432:app:bob:§',
    'wpa psk': 'network={\n  ssid="home"\n  psk="§"\n}',
    'SQL, identified': "CREATE USER 'app'@'%' IDENTIFIED BY '§';",
    'SQL, password': "ALTER USER app WITH PASSWORD '§';",
    'SQL Server': "CREATE LOGIN app WITH PASSWORD = '§';",
    'ADO.NET': '"Server=db;Database=x;User Id=sa;Password=§;Encrypt=true"',
    JDBC: 'jdbc:mysql://db/x?user=app&password=§',
    'amqp address': 'amqp://app:§@mq:5672/',
    '.env': 'DB_USER=x\nDB_PASS=§\n',
    PHP: "define('DB_PASSWORD', '§');",
    Java: 'props.setProperty("password", "§");',
    Python: "conn = connect(user='x', password='§')",
    'Python, default': 'def f(password: str = "§"):',
    C: 'const char *password = "§";',
    compose: '    environment:\n      MYSQL_ROOT_PASSWORD: §\n',
    'table of markdown': '| DB password | § |',
    'prompt of a terminal': 'Password: §',
    'secret answer': 'the security answer is Mr§',
  }),
  ...all('signs', {
    'properties, signs': 'db.user=x\ndb.password=§\n',
    'JSON, signs': '{"user": "x", "password": "§"}',
    'YAML, signs': "db:\n  password: '§'\n",
    'INI, signs': '[db]\npassword = §\n',
    'said, signs': 'the password is §',
  }),
  ...all('words', {
    'passphrase, said': 'the passphrase is "§"',
    'passphrase, JSON': '{"passphrase": "§"}',
    'passphrase, YAML': 'passphrase: §',
  }),
  ...all('plain', {
    'option of a program': 'tool --db-password § --yes',
    'said, plain': 'use the password § for it',
    'Japanese, colon': 'パスワード：§',
  }),
  ...all('hex', {
    'openssl rand': '$ openssl rand -hex 32\n§\n',
    'session secret': 'SESSION_SECRET=§',
    'signing key': 'const signingKey = "§";',
  }),
  ...all('base', {
    'base64, no name': 'I generated §  for you',
    'openssl rand, base64': '$ openssl rand -base64 32\n§',
    wireguard: '[Interface]\nPrivateKey = §\n',
    kubernetes: 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  value: §\n',
    docker: '{"auths": {"r": {"auth": "§"}}}',
    kubeconfig: 'users:\n- name: x\n  user:\n    client-key-data: §\n',
  }),
  ...all('made', {
    'no name': 'use § please',
    'other name': 'MAPS=§',
    'alone in a line': 'here it is\n§\n',
    'said, api key': 'our API key for the maps service is §',
    'German, key': 'Der API-Schlüssel lautet §',
    'French, key': 'la clé API est §',
    npmrc: '//registry.example.com/:_authToken=§',
    'header, own': 'curl -H "apikey: §" https://h',
  }),
  ...all('digits', {
    PIN: 'the PIN is §',
    OTP: 'Your verification code is §',
    'code first': '§ is your login code',
  }),
  ...all('code', { 'recovery code': 'my recovery codes:\n§\n' }),
];
