/** Repeats every failure in a few lines at the end of the output, where a cut log still shows it. */
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

/** The start of fast-check's report; seed, path and counterexample follow, then general advice. */
const FAILED_PROPERTY = 'Property failed after'
const ADVICE = /\n+Hint:/
/** Lines of another error, of which a difference may have hundreds. */
const LINES_MAX = 6
/** A counterexample may hold whole requests; it is printed as a whole further up. */
const CHARACTERS_MAX = 2_000

type Failure = { readonly title: string; readonly errors: readonly SerializedError[] }

/** Created by the test runner, after its default reporter. */
export const failureSummaryReporter: Reporter = {
  onTestRunEnd: (modules) => {
    for (const { title, errors } of modules.flatMap(failuresIn)) {
      console.error(`\nFailed: ${title}\n${errors.map(({ message }) => shorten(message)).join('\n')}`)
    }
  },
}

/** Also the errors of hooks, which belong to a file or to a group of tests. */
function failuresIn(module: TestModule): readonly Failure[] {
  const name = module.relativeModuleId
  const titled = (part: TestSuite | TestCase) => `${name} > ${part.fullName}`
  const suites = [...module.children.allSuites()].map((suite) => ({ title: titled(suite), errors: suite.errors() }))
  const tests = [...module.children.allTests('failed')].map((test) => ({
    title: titled(test),
    errors: test.result().errors ?? [],
  }))
  return [{ title: name, errors: module.errors() }, ...suites, ...tests].filter(({ errors }) => errors.length > 0)
}

function shorten(message: string): string {
  const text = message.split(ADVICE)[0] ?? ''
  const lines = text.includes(FAILED_PROPERTY) ? text : text.split('\n').slice(0, LINES_MAX).join('\n')
  return lines.length > CHARACTERS_MAX ? `${lines.slice(0, CHARACTERS_MAX)}…` : lines
}
