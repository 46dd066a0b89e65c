/** Speaks to the control address of the sandbox bank, as any test of a partner could. */
import { request } from 'undici'

/** Business time at the sandbox bank, and when something falls due there next. */
export type BankClock = { readonly now: Temporal.Instant; readonly nextDueAt: Temporal.Instant | null }

/** The sandbox bank behind its control address. */
export type SandboxControl = {
  readClock(): Promise<BankClock>
  /** Sets business time; what is due by then has happened when this returns. */
  setClock(now: Temporal.Instant): Promise<BankClock>
  resetClock(): Promise<BankClock>
}

/** Opens the way to a sandbox bank. */
export function openSandboxControl(url: string): SandboxControl {
  return {
    readClock: () => ask(`${url}/control/clock`),
    setClock: (now) => ask(`${url}/control/clock`, { now: now.toString() }),
    resetClock: () => ask(`${url}/control/clock`, { reset: true }),
  }
}

async function ask(url: string, body?: object): Promise<BankClock> {
  const { statusCode, body: answer } = await request(
    url,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )
  const text = await answer.text()
  const read: unknown = JSON.parse(text)
  if (statusCode !== 200 || typeof read !== 'object' || read === null || !('now' in read)) {
    throw new Error(`The sandbox bank's clock answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  const nextDueAt = 'nextDueAt' in read ? read.nextDueAt : null
  return {
    now: Temporal.Instant.from(String(read.now)),
    nextDueAt: typeof nextDueAt === 'string' ? Temporal.Instant.from(nextDueAt) : null,
  }
}
