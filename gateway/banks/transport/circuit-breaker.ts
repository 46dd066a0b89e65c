/** Breaks the circuit to what fails: to one resource of a bank, and to the bank once different resources fail. */
import { setMostRecent } from '../../platform/collections.ts'

/** Whether a call may be made: as usual, as the one trial of an open circuit, or not. */
export type Admission = 'call' | 'trial' | 'rejected'

/** How an admitted call ended: with an answer, with a server error as the answer, without one, or in our own queue. */
export type EndOfCall = 'answered' | 'server-error' | 'unanswered' | 'not-made'

export type CircuitBreaker = {
  admit(resource: string): Admission
  /** The resources about which the last call failed. */
  readonly failing: ReadonlyMap<string, unknown>
  /** Records the end of every admitted call. */
  record(resource: string, admission: Admission, end: EndOfCall): void
}

/** Failures in a row, and how often and until when they have opened the circuit. */
type Circuit = { failures: number; opened: number; openUntil: number; isOnTrial: boolean }
const CLOSED: Readonly<Circuit> = { failures: 0, opened: 0, openUntil: Number.NEGATIVE_INFINITY, isOnTrial: false }

/** An open circuit is tried again after the first delay, then after twice as long each time. */
const OPEN_MILLISECONDS = { first: 1_000, most: 30_000 }
/** Resources remembered as failing; the longest remembered one is forgotten first. */
const FAILING_RESOURCES_MAX = 10_000

/**
 * Each resource has a circuit, which opens after so many failures of it in a row. The circuit of the bank opens when it
 * has given no answer so many times in a row, or errors about so many different resources. Then those that fail wait for
 * its next trial; any other may be called at once, one at a time, because the failing ones do not prove that the bank is
 * down.
 */
export function createCircuitBreaker(failuresInRowMax: number, now: () => number): CircuitBreaker {
  const bank: Circuit = { ...CLOSED }
  const failing = new Map<string, Circuit>()

  const fail = (circuit: Circuit): void => {
    circuit.failures += 1
    if (circuit.failures >= failuresInRowMax && now() >= circuit.openUntil) {
      const delay = Math.min(OPEN_MILLISECONDS.first * 2 ** circuit.opened, OPEN_MILLISECONDS.most)
      circuit.opened += 1
      circuit.openUntil = now() + delay
    }
  }

  return {
    failing,
    admit: (resource) => {
      const own = failing.get(resource)
      const open = [bank, ...(own === undefined ? [] : [own])].filter(({ failures }) => failures >= failuresInRowMax)
      // What has not failed does not wait until the bank is tried again.
      if (open.some(({ isOnTrial, openUntil }) => isOnTrial || (own !== undefined && now() < openUntil))) {
        return 'rejected'
      }
      for (const circuit of open) {
        circuit.isOnTrial = true
      }
      return open.length === 0 ? 'call' : 'trial'
    },
    record: (resource, admission, end) => {
      const own = failing.get(resource)
      if (admission === 'trial') {
        bank.isOnTrial = false
        Object.assign(own ?? {}, { isOnTrial: false })
      }
      if (end === 'answered') {
        failing.delete(resource)
        Object.assign(bank, CLOSED)
      } else if (end !== 'not-made') {
        // An error about what is known to fail says nothing new about the bank, unless nothing else answers.
        if (end === 'unanswered' || own === undefined || bank.failures >= failuresInRowMax) {
          fail(bank)
        }
        const circuit = own ?? { ...CLOSED }
        fail(circuit)
        setMostRecent(failing, [resource, circuit], FAILING_RESOURCES_MAX)
      }
    },
  }
}
