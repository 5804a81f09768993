import type { Call, Command } from './command.ts';

export const command: Command = {
  name: 'mcp',
  summary: 'answer agents over the Model Context Protocol, on standard input and output',
  configure() {},
  run,
};

async function run({ world }: Call): Promise<number> {
  const [{ StdioServerTransport }, { openMcp }, { toolsOf }, { sourcesIn }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('../mcp/server.ts'),
    import('../mcp/tools.ts'),
    import('./mcp-sources.ts'),
  ]);
  const onMistake = (tool: string, error: unknown) => {
    const said = error instanceof Error ? (world.env.AGENT_DEBUG === '1' ? error.stack : error.message) : String(error);
    void world.err.write(`${world.name} mcp: ${tool} failed: ${said}\n`);
  };
  const { server, settled } = openMcp({ tools: toolsOf(sourcesIn(world)), version: world.version, onMistake });
  const ended = untilDone(server);
  await server.connect(new StdioServerTransport());
  await ended;
  await settled();
  await server.close();
  // what was sent is on its way before we end
  await world.out.write('');
  return 0;
}

/** The client has gone, or somebody ends us. */
function untilDone(server: { onclose?: (() => void) | undefined }): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    process.stdin.once('end', end).once('close', end).once('error', end);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
    server.onclose = end;
  });
}
