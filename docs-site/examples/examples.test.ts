/** Tests that the examples of the reference, in each language, send the requests of the contract's examples. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { pythonProgram, variableValues, withVariableValues } from '../testing/example-programs.ts'
import { EXAMPLE_CASES, expectedRequest, startExampleReceiver } from '../testing/sent-requests.ts'
import { renderCurl } from './curl-example.ts'
import { consentVariable, DAY_VARIABLES, EXAMPLE_VARIABLES, READER_VARIABLES } from './example-variables.ts'
import { snakeCase } from './python-example.ts'
import { renderTypeScript } from './typescript-example.ts'

const all: readonly Operation[] = Object.values(operations)
const cases = EXAMPLE_CASES

test('the calls of the TypeScript client have the parameters, the query and the body of the example', async () => {
  const names = ['psu', ...Object.keys(variableValues)]
  for (const { operation, example } of cases) {
    const calls: unknown[][] = []
    const havn = {
      [operation.id]: (...input: unknown[]) => {
        calls.push(input)
        return example.answer
      },
    }
    const defined = new Set(
      [...renderTypeScript(operation, example).matchAll(/^const (\w+)/gm)].map(([, name]) => name),
    )
    const given = names.filter((name) => !defined.has(name))
    const call = Object.getPrototypeOf(async () => undefined).constructor(
      'havn',
      ...given,
      renderTypeScript(operation, example),
    )
    await call(havn, ...given.map((name) => (name === 'psu' ? { ipAddress: '203.0.113.7' } : variableValues[name])))
    const { params, query, body, psu, consentId } = Object(calls[0]?.[0])
    expect({ params: { ...params }, query: { ...query }, body: body ?? null }).toEqual({
      params: withVariableValues(example.params),
      query: withVariableValues(example.query),
      body: withVariableValues(example.body),
    })
    expect([psu !== undefined, consentId !== undefined]).toEqual([
      operation.psu !== 'none',
      operation.admits === 'consent',
    ])
  }
})

/** In place of the client and its models: calls are printed as JSON. */
const PYTHON_RECORDER = `
import datetime, enum, inspect, json, sys, types
class Any:
    def __getattr__(self, name): return self
    def __getitem__(self, index): return self
class Model:
    def __init__(self, value): self.value = value
    model_validate = staticmethod(lambda body: body)
    def __new__(cls, value=None): return value
class Models(types.ModuleType):
    def __getattr__(self, name): return Model
class Client:
    def __getattr__(self, name):
        def call(*args, **kwargs):
            calls.append([name, args, kwargs])
            return Any()
        return call
def plain(value):
    return str(value).replace('+00:00', 'Z').replace(' ', 'T')
calls = []
havn = types.ModuleType('havn')
havn.Havn = havn.PsuSession = object
sys.modules['havn'], sys.modules['havn.models'] = havn, Models('havn.models')
source, values = json.load(sys.stdin)
values.update({name: datetime.date.fromisoformat(values[name]) for name in ('today', 'due_date', 'month_ago')})
values.update(havn=Client(), psu='psu')
scope = {}
exec(source, scope)
for function in [each for each in scope.values() if inspect.isfunction(each)]:
    function(**{name: values[name] for name in inspect.signature(function).parameters})
print(json.dumps(calls, default=plain))
`

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'the calls of the Python client have the parameters, the query and the body of the example',
  () => {
    const values = Object.fromEntries(Object.entries(variableValues).map(([name, value]) => [snakeCase(name), value]))
    const input = JSON.stringify([pythonProgram(all), values])
    const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON_RECORDER], { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    const calls: readonly (readonly [string, readonly unknown[], object])[] = JSON.parse(stdout)
    expect(calls.length).toBe(cases.length)
    for (const [index, { operation, example }] of cases.entries()) {
      const { params, query, body } = example
      const keywords = {
        ...Object.fromEntries(
          Object.entries(Object(withVariableValues(query))).map(([name, value]) => [snakeCase(name), value]),
        ),
        ...(operation.admits === 'consent' ? { consent_id: variableValues[consentVariable(operation).name] } : {}),
        ...(operation.psu === 'none' ? {} : { psu: 'psu' }),
      }
      const positional = [...Object.values(Object(withVariableValues(params))), ...(body === undefined ? [] : [body])]
      expect(calls[index]).toEqual([
        snakeCase(operation.id),
        positional.map((value) => (value === body ? withVariableValues(body) : value)),
        keywords,
      ])
    }
  },
)

test('the commands send the example, as parsed by a shell, and set the ids of the response', {
  timeout: 60_000,
}, async () => {
  const receiver = await startExampleReceiver()
  const assignments = [...EXAMPLE_VARIABLES, ...READER_VARIABLES, ...DAY_VARIABLES].map(
    ({ name, shellName }) => `${shellName}='${variableValues[name]}'`,
  )
  // A function in place of a program for each value.
  const json = 'json() { cat > /dev/null; echo "$1" >&2; }'
  const shell = spawn('bash', ['-e'], { env: { PATH: process.env['PATH'], HAVN: receiver.address } })
  const script = cases.flatMap(({ operation, example }) => [...assignments, renderCurl(operation, example)])
  shell.stdin.end(`${json}\n${script.join('\n')}\n`)
  let read = ''
  shell.stdout.resume()
  shell.stderr.on('data', (chunk: Buffer) => {
    read += chunk.toString()
  })
  const [code] = await once(shell, 'close')
  await receiver.close()
  expect([code, receiver.count()]).toEqual([0, cases.length])
  for (const [index, sample] of cases.entries()) {
    expect(receiver.sent(index)).toEqual(expectedRequest(sample))
  }
  expect(read.trim().split('\n').toSorted()).toEqual(EXAMPLE_VARIABLES.map(({ path }) => `it.${path}`).toSorted())
})
