/** An error of SCIM has the common shape beside its own, which must tell the same. */
export function commonPart(body: unknown): unknown {
  const { schemas, status, detail, scimType, ...common } = body as Record<string, unknown>;
  const { error } = common as { error?: { code?: unknown; message?: unknown } };
  const isScim = Array.isArray(schemas) && status === String(error?.code) && detail === error?.message;
  return isScim || (schemas === undefined && scimType === undefined) ? common : body;
}
