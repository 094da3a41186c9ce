/** Drops the template and stops the PostgreSQL that the set-up started. */
export default async function teardown() {
  await globalThis.binderyTeardown?.();
}
