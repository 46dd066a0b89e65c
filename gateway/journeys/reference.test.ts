/** Runs the commands of the reference as pasted, in the order of a reader. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { renderCurl } from '../../docs-site/examples/curl-example.ts'
import { examplesOf } from '../../docs-site/examples/request-example.ts'
import { adaptExample } from '../../docs-site/guides/adapt-document.ts'
import { type CommandEvaluator, openCommandEvaluator } from '../testing/gateway/command-evaluator.ts'
import { type DocumentationGateway, startDocumentationGateway } from '../testing/gateway/documentation-gateway.ts'
import { openDocumentationShell } from '../testing/gateway/documentation-shell.ts'
import { documentedPlace, PREPARATION_GUIDE, readCommands } from '../testing/gateway/documented-commands.ts'
import { PREPARATION, referenceWalk } from '../testing/gateway/reference-walk.ts'

/** The example of a returned payout takes ten seconds of clock moves. */
const WITH_PAYOUT = process.env['HAVN_REFERENCE_PAYOUT'] !== undefined
/** More than two hundred commands, on a slow and busy machine. */
const REFERENCE_MILLISECONDS = 240_000

let running: DocumentationGateway
let evaluator: CommandEvaluator
// Not the gateway of the guides: what they leave open is polled at each stop of a clock that moves by days.
beforeAll(async () => {
  ;[running, evaluator] = await Promise.all([startDocumentationGateway(), openCommandEvaluator()])
})
afterAll(async () => {
  await evaluator.close()
  await running.close()
})

test('every example of the reference has its documented status in the order of a reader', {
  timeout: REFERENCE_MILLISECONDS,
}, async () => {
  const all: readonly Operation[] = Object.values(operations)
  const examples = new Map(
    all.flatMap((operation) =>
      examplesOf(operation).map((example) => {
        const { id, answer } = operation
        const key = example.index === 0 ? id : `${id}[${example.index}]`
        const statuses = answer.continuesWith === undefined ? [answer.status] : [answer.status, 202]
        return [
          key,
          { command: adaptExample(renderCurl(operation, example), documentedPlace(running.gateway)), statuses },
        ] as const
      }),
    ),
  )
  const shell = await openDocumentationShell()
  const prepare = async () => {
    for (const { command } of await readCommands(running.gateway, PREPARATION_GUIDE)) {
      await shell.run(command)
    }
  }
  await shell.run(evaluator.commands)
  const succeeded = new Set<string>()
  for (const step of referenceWalk({ withPayout: WITH_PAYOUT })) {
    if (typeof step !== 'string' || step === PREPARATION) {
      await (typeof step === 'string' ? prepare() : shell.run(step.shell))
      continue
    }
    const { command, statuses } = examples.get(step) ?? expect.fail(`The reference has no example ${step}`)
    const printed = await shell.run(command)
    const status = evaluator.lastStatus()
    expect(statuses, `${step} returned ${status}\n${command}\n${printed}`).toContain(status)
    succeeded.add(step)
  }
  await shell.close()
  expect([...examples.keys()].filter((key) => !succeeded.has(key))).toEqual(WITH_PAYOUT ? [] : ['stepSandboxPayout'])
})
