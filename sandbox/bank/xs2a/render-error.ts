/** Writes a refusal in the error format of the bank: A, the standard's own, or B, problem details (RFC 7807). */
import { type RefusalMessage, Xs2aRefusal } from '../refusal.ts'

export type RenderedRefusal = { readonly status: number; readonly contentType: string; readonly body: object }

/** The standard allows this many characters for a text. */
const TEXT_MAX_LENGTH = 500
const TITLE_MAX_LENGTH = 70

/** Writes it; whatever is no refusal is a fault of ours, and is told without detail. */
export function renderRefusal(error: unknown, errorFormat: 'A' | 'B'): RenderedRefusal {
  const refusal = error instanceof Xs2aRefusal ? error : internalError()
  return errorFormat === 'A' ? formatA(refusal) : formatB(refusal)
}

function internalError(): Xs2aRefusal {
  return new Xs2aRefusal(500, [{ code: 'INTERNAL_SERVER_ERROR', text: 'The bank could not do this' }])
}

function formatA({ status, messages }: Xs2aRefusal): RenderedRefusal {
  const tppMessages = messages.map(({ code, text, path }) => ({
    category: 'ERROR',
    code,
    ...(path === undefined ? {} : { path }),
    text: text.slice(0, TEXT_MAX_LENGTH),
  }))
  return { status, contentType: 'application/json', body: { tppMessages } }
}

function formatB({ status, messages }: Xs2aRefusal): RenderedRefusal {
  const [first, ...others] = messages.map(problem)
  const body = {
    type: `https://www.berlin-group.org/xs2a/${first?.code}`,
    ...first,
    ...(others.length === 0 ? {} : { additionalErrors: others }),
  }
  return { status, contentType: 'application/problem+json', body }
}

/** Format B has no member for the path; banks that use it write it in front of the detail. */
function problem({ code, text, path }: RefusalMessage): { title: string; detail: string; code: string } {
  const detail = path === undefined ? text : `${path}: ${text}`
  return { title: text.slice(0, TITLE_MAX_LENGTH), detail: detail.slice(0, TEXT_MAX_LENGTH), code }
}
