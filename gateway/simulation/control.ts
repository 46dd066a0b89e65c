/** Speaks to the control address of the sandbox bank, as any test of a partner could. */
import { request } from 'undici'
import { type RefusalKind, refuse } from '../foundation/http/refusal.ts'

/** Business time at the sandbox bank, and when something falls due there next. */
export type BankClock = { readonly now: Temporal.Instant; readonly nextDueAt: Temporal.Instant | null }

/** What a user decides, and who that is; whoever the bank takes first when nobody is named. */
export type UserDecision = { readonly decision: 'sign' | 'reject' | 'leave'; readonly userId?: string }

/** The sandbox bank behind its control address. */
export type SandboxControl = {
  readClock(): Promise<BankClock>
  /** Sets business time; what is due by then has happened when this returns. */
  setClock(now: Temporal.Instant): Promise<BankClock>
  resetClock(): Promise<BankClock>
  /** Goes through the bank's pages from an address of theirs, until the browser is sent on. */
  browse(address: string, decision: UserDecision): Promise<string>
  /** Takes a user's decision on an authorisation; the address that a browser is sent to, null where there is none. */
  decide(authorisationId: string, decision: UserDecision): Promise<string | null>
  /** Does anything else below `/control`. Throws `bad-request`, `not-found` or `conflict` with the bank's own words. */
  act(path: string, body: object): Promise<unknown>
  /** Lets every fault end. */
  heal(): Promise<undefined>
}

/** What the bank answers when it does not do as it is told. */
const kindByStatus: Readonly<Record<number, RefusalKind>> = {
  400: 'bad-request',
  403: 'bad-request',
  404: 'not-found',
  409: 'conflict',
  422: 'bad-request',
}

/** Opens the way to a sandbox bank. */
export function openSandboxControl(url: string): SandboxControl {
  const act = (path: string, body: object) => ask(`${url}/control${path}`, 'POST', body)
  return {
    readClock: async () => clockOf(await ask(`${url}/control/clock`, 'GET')),
    setClock: async (now) => clockOf(await act('/clock', { now: now.toString() })),
    resetClock: async () => clockOf(await act('/clock', { reset: true })),
    browse: async (address, decision) => {
      const redirect = redirectOf(await act('/browser', { address, ...decision }))
      if (redirect === null) {
        throw new Error('The sandbox bank does not say where it sent the browser')
      }
      return redirect
    },
    decide: async (authorisationId, { decision, userId }) =>
      redirectOf(await act(`/authorisations/${authorisationId}/${decision}`, userId === undefined ? {} : { userId })),
    act,
    heal: async () => {
      await ask(`${url}/control/faults`, 'DELETE')
    },
  }
}

async function ask(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const { statusCode, body: answer } = await request(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const kind = kindByStatus[statusCode]
  if (kind !== undefined) {
    throw refuse(kind, `The sandbox bank says: ${messageOf(text)}`)
  }
  if (statusCode !== 200) {
    throw new Error(`The sandbox bank answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  return JSON.parse(text)
}

function messageOf(text: string): string {
  const answer: unknown = JSON.parse(text)
  return isObject(answer) ? String(answer['message']) : text
}

function redirectOf(answer: unknown): string | null {
  return isObject(answer) && typeof answer['redirect'] === 'string' ? answer['redirect'] : null
}

function clockOf(answer: unknown): BankClock {
  if (!isObject(answer) || !('now' in answer)) {
    throw new Error("The sandbox bank's clock tells no time")
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
