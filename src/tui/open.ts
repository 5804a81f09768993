import { render } from 'ink';
import { createElement as h } from 'react';
import { Screen, StandIn } from './screen.ts';
import type { ShownFile, Source } from './source.ts';
import { openStore } from './store.ts';
import { type Looks, View } from './view.ts';

export interface ViewOptions {
  readonly source: Source;
  /** What is shown first. */
  readonly file: ShownFile;
  readonly looks: Looks;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Shows the view until the person leaves it. */
export async function openView({ source, file, looks, stdin, stdout }: ViewOptions): Promise<void> {
  const screen = new Screen(stdin, stdout);
  let quit = () => {};
  const resized = () => {
    screen.forget();
    store.dispatch({ kind: 'resized', size: screen.size });
  };
  const store = openStore({
    source,
    file,
    size: screen.size,
    onScreen: ({ kind }) => (kind === 'quit' ? quit() : kind === 'suspend' ? screen.suspend() : screen.redraw()),
  });
  stdout.on('resize', resized);
  screen.enter();
  try {
    // debug: Ink writes whole frames, and leaves it to the screen to compare them
    const app = render(h(View, { store, looks }), {
      stdin,
      // of a stream it uses no more than this
      stdout: new StandIn(screen) as unknown as NodeJS.WriteStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
    quit = () => app.unmount();
    await app.waitUntilExit();
  } finally {
    stdout.off('resize', resized);
    screen.leave();
  }
}
