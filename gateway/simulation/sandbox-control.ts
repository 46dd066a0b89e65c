/** Speaks to the control addresses of the sandbox's programs, as any test of a partner could. */

import { request } from 'undici'
import type { LastRead } from '../orders/status/record-unchanged-payments.ts'
import { type RefusalKind, refuse } from '../platform/http/errors/api-error.ts'
import { parseJson } from '../platform/parse-json.ts'

/** Business time at a program, and when something falls due there next. */
export type ProgramClock = { readonly now: Temporal.Instant; readonly nextDueAt: Temporal.Instant | null }

/** What a user decides, and who that is; whoever the bank takes first when nobody is named. */
export type UserDecision = { readonly decision: 'sign' | 'reject' | 'leave'; readonly userId?: string }

/** A program of the sandbox behind its control address. */
export type ProgramControl = {
  readClock(): Promise<ProgramClock>
  /** Sets business time; what is due by then has happened when this returns. */
  setClock(now: Temporal.Instant): Promise<ProgramClock>
  resetClock(): Promise<ProgramClock>
  /** What is told below `/control`. */
  look(path: string): Promise<unknown>
  /** Does anything else there. Throws `bad-request`, `not-found` or `conflict` with the program's own words. */
  act(path: string, body: object): Promise<unknown>
  /** Lets every fault end. */
  heal(): Promise<undefined>
}

/** The sandbox bank, whose users can be played. */
export type SandboxControl = ProgramControl & {
  /** The payments, by the bank's ids, of which a read would find the same again. */
  unchangedOf(reads: readonly LastRead[]): Promise<ReadonlySet<string>>
  /** Goes through the bank's pages from an address of theirs, until the browser is sent on. */
  browse(address: string, decision: UserDecision): Promise<string>
  /** Takes a user's decision on an authorisation; the address that a browser is sent to, null where there is none. */
  decide(authorisationId: string, decision: UserDecision): Promise<string | null>
}

/** What a program answers when it does not do as it is told. */
const kindByStatus: Readonly<Record<number, Exclude<RefusalKind, 'outcome-unknown'>>> = {
  400: 'bad-request',
  403: 'bad-request',
  404: 'not-found',
  409: 'conflict',
  422: 'bad-request',
}

/** Opens the way to a program; `name` is what messages call it. */
export function openProgramControl(url: string, name: string): ProgramControl {
  const act = (path: string, body: object) => ask(name, `${url}/control${path}`, 'POST', body)
  return {
    readClock: async () => clockOf(await ask(name, `${url}/control/clock`, 'GET')),
    setClock: async (now) => clockOf(await act('/clock', { now: now.toString() })),
    resetClock: async () => clockOf(await act('/clock', { reset: true })),
    look: (path) => ask(name, `${url}/control${path}`, 'GET'),
    act,
    heal: async () => {
      await ask(name, `${url}/control/faults`, 'DELETE')
    },
  }
}

/** Opens the way to a sandbox bank. */
export function openSandboxControl(url: string): SandboxControl {
  const program = openProgramControl(url, 'sandbox bank')
  const { act } = program
  return {
    ...program,
    unchangedOf: async (payments) => unchangedIn(await act('/payments/unchanged', { payments })),
    browse: async (address, decision) => {
      const redirect = redirectOf(await act('/browser', { address, ...decision }))
      if (redirect === null) {
        throw new Error('The sandbox bank does not say where it sent the browser')
      }
      return redirect
    },
    decide: async (authorisationId, { decision, userId }) =>
      redirectOf(await act(`/authorisations/${authorisationId}/${decision}`, userId === undefined ? {} : { userId })),
  }
}

async function ask(name: string, url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const { statusCode, body: answer } = await request(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const kind = kindByStatus[statusCode]
  if (kind !== undefined) {
    throw refuse(kind, `The ${name} says: ${messageOf(text)}`)
  }
  if (statusCode !== 200) {
    throw new Error(`The ${name} answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  return parseJson(text)
}

function messageOf(text: string): string {
  const answer = parseJson(text)
  return isObject(answer) ? String(answer['message']) : text
}

function redirectOf(answer: unknown): string | null {
  return isObject(answer) && typeof answer['redirect'] === 'string' ? answer['redirect'] : null
}

function unchangedIn(answer: unknown): ReadonlySet<string> {
  if (!isObject(answer) || !Array.isArray(answer['unchanged'])) {
    throw new Error('The sandbox bank does not say which payments are unchanged')
  }
  return new Set(answer['unchanged'].map(String))
}

function clockOf(answer: unknown): ProgramClock {
  if (!isObject(answer) || !('now' in answer)) {
    throw new Error('A clock of the sandbox tells no time')
  }
  const { nextDueAt } = answer
  return {
    now: Temporal.Instant.from(String(answer['now'])),
    nextDueAt: typeof nextDueAt === 'string' ? Temporal.Instant.from(nextDueAt) : null,
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
