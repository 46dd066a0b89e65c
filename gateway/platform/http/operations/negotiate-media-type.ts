/** Negotiates the media type of a response: the one of an operation's types that the caller prefers. */
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import type { Operation } from '../../../../contract/operation.ts'
import { apiError } from '../errors/api-error.ts'

/** The default for every response. */
export const JSON_MEDIA_TYPE = 'application/json'

/** By `Accept` (RFC 9110, 12.5.1), where there is a choice; JSON without it. Throws `not-acceptable`. */
export function negotiateMediaType({ answer }: Pick<Operation, 'answer'>, headers: IncomingHttpHeaders): string {
  const alternatives = Object.keys(answer.otherForms ?? {})
  if (alternatives.length === 0) {
    return JSON_MEDIA_TYPE
  }
  const forms = [JSON_MEDIA_TYPE, ...alternatives]
  const [best] = new Negotiator({ headers }).mediaTypes(forms)
  if (best === undefined) {
    throw apiError('not-acceptable', `This is answered as ${forms.join(', ')}; the header Accept allows none of them`)
  }
  return best
}
