/** Repeats the seed, path and counterexample of failed properties at the end of the output. */
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** The start of fast-check's report; seed, path and counterexample follow. */
const FAILED = 'Property failed after'
/** The rest is general advice. */
const ADVICE = /\n+Hint:/

/** Created by the test runner, after its default reporter. */
export const failedPropertyReporter: Reporter = {
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
