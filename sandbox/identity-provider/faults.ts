/** The faults that a test may have the provider commit, each so many times. */

/** What goes wrong. */
export const FAULT_EFFECTS = [
  /** Everything is answered with 503. */
  'down',
  /** Everything is answered late. */
  'slow',
  /** The description leads browsers to another host. */
  'elsewhere',
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired-token',
  'old-token',
  /** The ID token is not signed at all. */
  'unsigned',
  /** The ID token is signed with the client's secret (HS256). */
  'signed-with-secret',
  /** The ID token is signed with a key that is not the provider's. */
  'strange-key',
  'altered-token',
  'without-birth-date',
] as const
export type FaultEffect = (typeof FAULT_EFFECTS)[number]

export type Fault = {
  readonly effect: FaultEffect
  readonly times?: number | undefined
  readonly milliseconds?: number | undefined
}

export type Faults = {
  add(fault: Fault): void
  list(): readonly Fault[]
  clear(): void
  /** Whether an effect is due, and counts it. */
  strikes(effect: FaultEffect): Fault | undefined
}

/** None at first. */
export function openFaults(): Faults {
  let faults: readonly Fault[] = []
  return {
    add: (fault) => {
      faults = [...faults, fault]
    },
    list: () => faults,
    clear: () => {
      faults = []
    },
    strikes: (effect) => {
      const struck = faults.find((fault) => fault.effect === effect)
      faults = faults.flatMap((fault) => (fault === struck ? lessOne(fault) : [fault]))
      return struck
    },
  }
}

function lessOne(fault: Fault): readonly Fault[] {
  if (fault.times === undefined) {
    return [fault]
  }
  return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
}
