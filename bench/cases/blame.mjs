export async function blames() { return []; }
