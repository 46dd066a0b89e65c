/** The step that measures how long a new user needs in each language, from `npm start` to the first paid invoice. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientEnvironment, ClientStep } from '../client-step.ts'
import { startClientGateway } from '../run-client-steps.ts'
import { NEW_USER_PATHS, type NewUserPath } from './new-user-paths.ts'

const COMPLETED = /\bCompleted\b/

/** Every language has a folder of its own; the start in an empty folder is measured once and added to each. */
export const firstPayment: ClientStep = {
  name: 'first-payment',
  title: 'the time from npm start in an empty folder to the first paid invoice, in each language',
  run: async (environment) => {
    const start = await secondsOf(async () => {
      const gateway = await startClientGateway()
      return gateway.close
    })
    await start.result()
    environment.report(`npm start: ready after ${start.seconds} s`)
    const results: string[] = []
    for (const path of NEW_USER_PATHS) {
      const seconds = start.seconds + (await measure(path, environment))
      environment.report(`${path.language}: paid ${seconds} s after npm start`)
      results.push(`${path.language} ${seconds} s`)
    }
    return { paid: results.join(', ') }
  },
}

/** The seconds from the empty folder to the paid invoice. */
async function measure({ language, prepare, pay }: NewUserPath, environment: ClientEnvironment): Promise<number> {
  const folder = join(environment.folder, language)
  await mkdir(folder)
  const own: ClientEnvironment = {
    ...environment,
    folder,
    run: (program, options, changes) => environment.run(program, options, { folder, ...changes }),
  }
  await environment.gateway()
  await prepare(own)
  const { result, seconds } = await secondsOf(() => pay(own))
  if (!COMPLETED.test(result)) {
    throw new Error(`The first invoice was not paid in ${language}; printed was:\n${result}`)
  }
  return seconds
}

/** At least one second. */
async function secondsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const begun = performance.now()
  const result = await work()
  return { result, seconds: Math.ceil((performance.now() - begun) / 1000) }
}
