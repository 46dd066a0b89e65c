/** A connector whose bank answers what a test says, and that remembers what it was asked. */

import type { Connector } from '../connector/connector.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { berlinGroup } from '../standards/berlin-group/connector.ts'

/** What the bank answers: 200 with a body, or a whole answer. */
export type ScriptedAnswer = { readonly body: object } | BankResponse

/** The connector, and every request so far. */
export type Scripted = { readonly connector: Connector; readonly asked: readonly BankRequest[] }

/** Answers each request by the script; what the script throws is what the call throws. */
export function scriptedBank(script: (request: BankRequest, call: number) => ScriptedAnswer): Scripted {
  const asked: BankRequest[] = []
  const connector = berlinGroup({
    fetch: async (_bank, request) => {
      asked.push(request)
      return whole(script(request, asked.length))
    },
    now: () => Temporal.Instant.from('2026-11-21T12:00Z'),
  })
  return { connector, asked }
}

function whole(answer: ScriptedAnswer): BankResponse {
  return 'status' in answer ? answer : { status: 200, headers: {}, body: JSON.stringify(answer.body) }
}
