/** Writes all Python examples as one module, for type checkers and for tests that run it with a client of their own. */
import type { Operation } from '../../contract/operation.ts'
import { DAY_VARIABLES, EXAMPLE_VARIABLES, READER_VARIABLES, variablesFrom } from '../examples/example-variables.ts'
import { renderPython, snakeCase } from '../examples/python-example.ts'
import { examplesOf } from '../examples/request-example.ts'

/** The module: a function for each example, which takes the client, the user's session and the variables. */
export function pythonProgram(operations: readonly Operation[]): string {
  const texts = [...new Set([...EXAMPLE_VARIABLES, ...READER_VARIABLES].map(({ name }) => name))]
  const days = DAY_VARIABLES.map(({ name }) => `${snakeCase(name)}: date`)
  const functions = operations.flatMap((operation) =>
    examplesOf(operation).map((example) => {
      const body = renderPython(operation, example).split('\n')
      const lines = body.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
      const defined = variablesFrom(operation, example).map(({ name }) => name)
      const given = texts.filter((name) => !defined.includes(name)).map((name) => `${snakeCase(name)}: str`)
      const parameters = ['havn: Havn', 'psu: PsuSession', ...given, ...days].join(', ')
      return `def ${snakeCase(operation.id)}_${example.index}(${parameters}) -> None:\n${lines}\n`
    }),
  )
  return ['from datetime import date', 'from havn import Havn, PsuSession', '', ...functions].join('\n')
}
