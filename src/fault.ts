/** Closed list: what went wrong, in the words of the exit codes that follow from it. */
export type FaultCode =
  | 'usage' // the call is wrong: exit 2
  | 'surroundings' // no repository, git too old, nothing to read from: exit 3
  | 'refused' // a check, a verification or a validation says no: exit 1
  | 'git' // git itself failed where it should not have: exit 3
  | 'bug'; // ours: exit 70

/** The one error class: one sentence (what, where, what to do), a code, and the data behind it. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: FaultCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Fault';
    this.code = code;
    this.data = data;
  }
}
