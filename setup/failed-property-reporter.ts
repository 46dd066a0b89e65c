/** Repeats what is needed to see a failed property again after everything else, where the tail of a log holds it. */
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** How fast-check begins; seed, path and counterexample follow. */
const FAILED = 'Property failed after'
/** What follows is advice that is the same each time. */
const ADVICE = /\n+Hint:/

/** Made by the runner, after the reporter that tells how all tests went. */
export const failedProperties: Reporter = {
  onTestRunEnd: (modules) => {
    for (const line of modules.flatMap(failuresIn)) {
      console.error(line)
    }
  },
}

function failuresIn(module: TestModule): readonly string[] {
  return [...module.children.allTests('failed')].flatMap((test) => wordsOf(module, test))
}

function wordsOf({ relativeModuleId }: TestModule, test: TestCase): readonly string[] {
  const messages = (test.result().errors ?? []).map(({ message }) => message)
  return messages
    .filter((message) => message.includes(FAILED))
    .map((message) => `\nFailed property: ${relativeModuleId} > ${test.fullName}\n${message.split(ADVICE)[0]}`)
}
