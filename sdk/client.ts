/** Creates an API client: one typed method per operation of the contract, and iteration over its lists. */
import { requireServer } from './browser-check.ts'
import type { Call } from './call.ts'
import { type HavnClientSettings, openConnection } from './client-settings.ts'
import type { HavnOperations } from './generated/operations.ts'
import { type HavnIterators, iteratorsOf } from './lists/iterators.ts'
import { namedOperations } from './operation-entry.ts'
import { type Caller, openCaller } from './perform-call.ts'
import { platformRuntime, type Runtime } from './runtime.ts'

/** A client of the API: a method per operation, and an iterator per list. Share one among all parts of a program. */
export interface HavnClient extends HavnOperations, HavnIterators {}

/**
 * Creates a client. No request is sent before the first call.
 *
 * Throws a `TypeError` that names the setting when one is missing or wrong, and an `Error` in a browser.
 */
export function createHavnClient(settings: HavnClientSettings): HavnClient {
  return openClient(settings, platformRuntime)
}

/** Creates a client whose time, waiting and chance are given. */
export function openClient(settings: HavnClientSettings, runtime: Runtime): HavnClient {
  requireServer()
  const caller = openCaller(openConnection(settings), runtime)
  return { ...methodsOf(caller), ...iteratorsOf(caller) }
}

function methodsOf(caller: Caller): HavnOperations {
  const methods = namedOperations.map((entry) => [entry.id, (call: Call = {}) => caller.perform(entry, call)])
  // The table and the types are generated from the same entries.
  return Object.fromEntries(methods) as HavnOperations
}
