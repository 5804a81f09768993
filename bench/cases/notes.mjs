export async function notes() { return []; }
