export async function joins() { return []; }
