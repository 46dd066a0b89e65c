/** Keeps calls to a provider within its limits a minute, so that it need not turn any away. */
import { steadyMilliseconds } from '../../foundation/clock.ts'
import { FxRefusal } from './fx-refusal.ts'

/** Somebody waits for an `urgent` call; the others leave a part of the limit for those. */
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

/** When the next call is due if calls came evenly, in milliseconds: the one number that a limit keeps. */
export type Due = number

/** When a call may begin, and what the limit keeps from then on. */
export type Turn = { readonly beginsAt: number; readonly due: Due }

const MINUTE_MILLISECONDS = 60_000
/** A fifth may come at once and the rest evenly: in no minute, wherever it begins, more than the limit. */
const BURST_SHARE = 0.2
/** What nobody waits for leaves half of the burst to those who do. */
const PATIENT_SHARE = 0.5
/** A partner's request may take seconds; a job is put off instead, and its worker does something else. */
const WAIT_MILLISECONDS_MAX: Readonly<Record<Urgency, number>> = { urgent: 5_000, patient: 1_000 }

/** The turn of a call that is asked for now (the generic cell rate algorithm, as ATM networks keep it). */
export function turnOf(limit: Pick<CallLimit, 'perMinute'>, due: Due, now: number, urgency: Urgency): Turn {
  const { interval, leeway } = paceOf(limit, urgency)
  const beginsAt = Math.max(now, due - leeway)
  return { beginsAt, due: Math.max(due, beginsAt) + interval }
}

/** How far apart calls are, and how far ahead of that they may come, in milliseconds. */
export function paceOf(
  { perMinute }: Pick<CallLimit, 'perMinute'>,
  urgency: Urgency,
): { readonly interval: number; readonly leeway: number } {
  const burst = Math.max(1, Math.floor(perMinute * BURST_SHARE))
  const interval = MINUTE_MILLISECONDS / Math.max(1, perMinute - burst)
  const leeway = (burst - 1) * interval
  return { interval, leeway: urgency === 'urgent' ? leeway : leeway * PATIENT_SHARE }
}

/** How long a call of this urgency waits for its turn, in milliseconds. */
export function waitMaxOf(urgency: Urgency): number {
  return WAIT_MILLISECONDS_MAX[urgency]
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
      const turns = limits.map((limit) => ({
        name: limit.name,
        ...turnOf(limit, dueByName.get(limit.name) ?? at, at, urgency),
      }))
      const waits = Math.max(0, ...turns.map(({ beginsAt }) => beginsAt - at))
      if (waits > waitMaxOf(urgency)) {
        throw refusalOfBudget(waits)
      }
      for (const { name, due } of turns) {
        dueByName.set(name, due)
      }
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      for (const limit of limits) {
        const { leeway } = paceOf(limit, 'urgent')
        const until = now() + seconds * 1000 + leeway
        dueByName.set(limit.name, Math.max(dueByName.get(limit.name) ?? 0, until))
      }
    },
  }
}

function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
