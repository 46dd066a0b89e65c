/** Keeps calls to a provider within its limits a minute, so that it need not turn any away. */
import { steadyMilliseconds } from '../../platform/clock.ts'
import { FxRefusal } from './fx-provider-error.ts'

/** Somebody waits for an `urgent` call; the others have a share of the limit that those cannot take. */
export type Urgency = 'urgent' | 'patient'

/** What calls of one kind may take. */
export type CallLimit = { readonly name: string; readonly perMinute: number }

/** The calls to one provider together. */
export type CallBudget = {
  /** Returns when the call may be made; refuses as `rate-limited` when that would be too long. */
  take(limits: readonly CallLimit[], urgency: Urgency): Promise<void>
  /** Makes no more of these calls for a while: the provider has turned one away. */
  pause(limits: readonly CallLimit[], seconds: number): Promise<void>
}

/** When the next call is due if calls came evenly, in milliseconds: the one number that a share keeps. */
export type Due = number

/** Where a call may take its turn; times in milliseconds. */
export type Share = {
  /** What the number is kept under. */
  readonly name: string
  /** How far apart calls are when they come evenly. */
  readonly interval: number
  /** How far ahead of that this call may come. */
  readonly leeway: number
  /** Whoever would have to wait for longer takes none. */
  readonly waitMax: number
}

const MINUTE_MILLISECONDS = 60_000
/** Of each limit this is for what nobody waits for, else it would never be done while people keep asking. */
const PATIENT_SHARE = 0.3
/** A fifth of a share may come at once and the rest evenly: in no minute, wherever it begins, more than the share. */
const BURST_SHARE = 0.2
/** What nobody waits for may take of the others' share too, and leaves half of its burst to those who do. */
const LENT_LEEWAY = 0.5
/** A partner's request may take seconds; a job is put off instead, and its worker does something else. */
const WAIT_MILLISECONDS_MAX: Readonly<Record<Urgency, number>> = { urgent: 5_000, patient: 1_000 }

/** The shares in which a call may take its turn, in the order in which it tries. */
export function sharesFor(limit: CallLimit, urgency: Urgency): readonly Share[] {
  const waitMax = WAIT_MILLISECONDS_MAX[urgency]
  const { urgent, patient } = partsOf(limit)
  const ofUrgent = { name: limit.name, waitMax, ...paceOf(urgent) }
  if (urgency === 'urgent') {
    return [ofUrgent]
  } else {
    const lent = { ...ofUrgent, leeway: ofUrgent.leeway * LENT_LEEWAY }
    return patient === 0 ? [lent] : [{ name: `${limit.name}/patient`, waitMax, ...paceOf(patient) }, lent]
  }
}

/** What the shares of a limit keep at least when nothing may begin before a moment; of one named twice, the later. */
export function pausedUntil(limit: CallLimit, milliseconds: number): readonly { name: string; due: Due }[] {
  const shares = [...sharesFor(limit, 'urgent'), ...sharesFor(limit, 'patient')]
  return shares.map(({ name, leeway }) => ({ name, due: milliseconds + leeway }))
}

/** How many calls of a minute are whose. */
function partsOf({ perMinute }: CallLimit): Readonly<Record<Urgency, number>> {
  const patient = Math.min(perMinute - 1, Math.max(1, Math.floor(perMinute * PATIENT_SHARE)))
  return { urgent: perMinute - patient, patient }
}

function paceOf(perMinute: number): { readonly interval: number; readonly leeway: number } {
  const burst = Math.max(1, Math.floor(perMinute * BURST_SHARE))
  const interval = MINUTE_MILLISECONDS / Math.max(1, perMinute - burst)
  return { interval, leeway: (burst - 1) * interval }
}

/** The refusal of a call that would have to wait for longer. */
export function refusalOfBudget(waitMilliseconds: number): FxRefusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.round(waitMilliseconds) / 1000))
  return new FxRefusal('rate-limited', 'The calls that the provider takes in a minute are used up', {
    retryAfterSeconds,
  })
}

/** A budget of this process alone. */
export function openOwnBudget({
  now = steadyMilliseconds,
  wait = pass,
}: {
  readonly now?: () => number
  readonly wait?: (milliseconds: number) => Promise<unknown>
} = {}): CallBudget {
  const dueByName = new Map<string, Due>()
  return {
    take: async (limits, urgency) => {
      const at = now()
      const turns = limits.map((limit) => turnIn(sharesFor(limit, urgency), dueByName, at))
      for (const { name, due } of turns) {
        dueByName.set(name, due)
      }
      const waits = Math.max(0, ...turns.map((turn) => turn.waits))
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      const until = now() + seconds * 1000
      for (const { name, due } of limits.flatMap((limit) => pausedUntil(limit, until))) {
        dueByName.set(name, Math.max(dueByName.get(name) ?? 0, due))
      }
    },
  }
}

/**
 * The first turn that comes soon enough, and what its share keeps from then on; refuses when none does (the generic
 * cell rate algorithm, as ATM networks keep it).
 */
function turnIn(
  shares: readonly Share[],
  dueByName: ReadonlyMap<string, Due>,
  now: number,
): { readonly name: string; readonly due: Due; readonly waits: number } {
  const waitsOf = (share: Share) => Math.max(0, (dueByName.get(share.name) ?? now) - share.leeway - now)
  const share = shares.find((each) => waitsOf(each) <= each.waitMax)
  if (share === undefined) {
    throw refusalOfBudget(Math.min(...shares.map(waitsOf)))
  }
  const { name, interval } = share
  const waits = waitsOf(share)
  return { name, waits, due: Math.max(dueByName.get(name) ?? now, now + waits) + interval }
}

function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
