/** Formats a body for readers. */
import { parseJson } from '../../gateway/platform/parse-json.ts'

/** Of a body that is not JSON, the text itself. */
export function indentedJson(body: string): string {
  try {
    return JSON.stringify(parseJson(body), undefined, 2)
  } catch {
    return body
  }
}
