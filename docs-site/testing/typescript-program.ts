/** Writes all TypeScript examples as one module, for type checkers. */
import type { Operation } from '../../contract/operation.ts'
import { DAY_VARIABLES, EXAMPLE_VARIABLES, READER_VARIABLES, variablesFrom } from '../examples/example-variables.ts'
import { examplesOf } from '../examples/request-example.ts'
import { renderTypeScript } from '../examples/typescript-example.ts'

/** The module: a function for each example, which takes the client, the user's session and the variables. */
export function typeScriptProgram(operations: readonly Operation[]): string {
  const variables = [...EXAMPLE_VARIABLES, ...READER_VARIABLES, ...DAY_VARIABLES].map(({ name }) => name)
  const functions = operations.flatMap((operation) =>
    examplesOf(operation).map((example) => {
      const defined = variablesFrom(operation, example).map(({ name }) => name)
      const given = [...new Set(variables)].filter((name) => !defined.includes(name)).map((name) => `${name}: string`)
      const parameters = ['havn: HavnClient', 'psu: PsuSession', ...given].join(', ')
      const head = `export async function ${operation.id}_${example.index}(${parameters})`
      return `${head} {\n${renderTypeScript(operation, example)}\n}\n`
    }),
  )
  return [`import type { HavnClient, PsuSession } from '@havn/client'`, '', ...functions].join('\n')
}
