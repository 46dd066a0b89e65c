/** Formats a body for readers. */

/** Of a body that is not JSON, the text itself. */
export function indentedJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
