export async function delays() { return []; }
