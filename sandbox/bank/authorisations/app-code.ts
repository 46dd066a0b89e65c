/** The code that a user's app reads of an authorisation: begins it, shows it as it is now, and knows it again. */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../gateway/platform/ids.ts'
import { drawQrImage } from '../../../gateway/platform/render-qr-image.ts'
import type { BankContext } from '../bank-context.ts'
import { type Authorisation, type CodeForm, isEnded } from './authorisation.ts'
import { type BankIdOrder, bankIdCode } from './bank-id-code.ts'

/** Wall time in which somebody must scan a code, or start the app with its token. */
export const SCAN_SECONDS = 30

/** The columns of a code that begins now. */
export function beginCode({ clock }: BankContext, form: CodeForm) {
  const begunAt = clock.real()
  return {
    code_form: form,
    code_token: randomUUID(),
    code_secret: form === 'start-token' ? null : randomUUID(),
    code_begun_at: begunAt.toString(),
    code_lapses_at: begunAt.add({ seconds: SCAN_SECONDS }).toString(),
  }
}

/** Whether nobody scanned the code in time. */
export function hasLapsed({ code_lapses_at: lapsesAt }: Authorisation, at: Temporal.Instant): boolean {
  return lapsesAt !== null && Temporal.Instant.compare(lapsesAt, at) <= 0
}

/** The code of this second; null when there is none, or none to be shown any more. */
export function currentCode({ clock }: BankContext, authorisation: Authorisation): string | null {
  const { code_begun_at: begunAt, code_lapses_at: lapsesAt, code_token: token } = authorisation
  const at = clock.real()
  if (
    isEnded(authorisation) ||
    begunAt === null ||
    lapsesAt === null ||
    token === null ||
    hasLapsed(authorisation, at)
  ) {
    return null
  }
  const order = orderOf(authorisation)
  return order === null ? token : bankIdCode(order, Math.floor(begunAt.until(at).total('seconds')))
}

/** What the third party gets to show: the standard's challenge data; null when there is nothing to scan. */
export function challengeOf(context: BankContext, authorisation: Authorisation): object | null {
  const code = currentCode(context, authorisation)
  if (code === null) {
    return null
  }
  switch (authorisation.code_form) {
    case 'image':
      return { image: drawQrImage(code).toString('base64'), data: [code] }
    case 'image-link':
      return { imageLink: `${context.addresses.pagesUrl}/codes/${authorisation.id}/${authorisation.link_token}` }
    default:
      return { data: [code] }
  }
}

const ANIMATED = /^bankid\.([0-9a-f-]{36})\.([0-9]{1,6})\.([0-9a-f]{64})$/
const START_ADDRESS = /^bankid:\/\/\/\?autostarttoken=([0-9a-f-]{36})(?:&|$)/
const START_TOKEN = /^([0-9a-f-]{36})$/

/** The token in a code as somebody pasted it: the animated one, the app's address, or the bare token. */
export function tokenInCode(code: string): string | undefined {
  const text = code.trim().toLowerCase()
  return [ANIMATED, START_ADDRESS, START_TOKEN]
    .map((form) => form.exec(text)?.[1])
    .find((token) => token !== undefined && isId(token))
}

/** Whether a code is one of this authorisation's: an animated one only with the proof that belongs to its second. */
export function isCodeOf(code: string, authorisation: Authorisation): boolean {
  const order = orderOf(authorisation)
  const text = code.trim().toLowerCase()
  const [, , seconds] = ANIMATED.exec(text) ?? []
  if (order === null || seconds === undefined) {
    return order === null && seconds === undefined
  }
  const genuine = Buffer.from(bankIdCode(order, Number(seconds)))
  return genuine.length === text.length && timingSafeEqual(genuine, Buffer.from(text))
}

function orderOf({ code_token: token, code_secret: secret }: Authorisation): BankIdOrder | null {
  return token === null || secret === null ? null : { token, secret }
}
