import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** A repository with a person's commit and an agent's, whose allowed signers are in a file. */
export async function openSealShop(signers: string): Promise<Workshop> {
  const shop = await openWorkshop();
  shop.git('config', 'gpg.format', 'ssh');
  shop.git('config', 'gpg.ssh.allowedSignersFile', signers);
  shop.human('a.ts', 'typed\n').commit('start');
  shop.ai('b.ts', 'by an agent\n');
  shop.commit('agent');
  return shop;
}

export interface Said {
  readonly status: number;
  /** On both of its outputs. */
  readonly said: string;
}

export async function sayIn(shop: Workshop, args: readonly string[]): Promise<Said> {
  const { status, stdout, stderr } = await shop.agent(...args);
  return { status, said: stdout + stderr };
}
