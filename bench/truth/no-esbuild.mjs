// Stands in for esbuild inside the bundle: what the workshop shares a file with can build programs, the workshop never does.
export function build() {
  throw new Error('nothing is built here');
}
