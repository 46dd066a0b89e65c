/** Builds the Python client, installs it as a partner would, checks its types, and tests it against a real gateway. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '../../../contract/operations.ts'
import { pythonProgram } from '../../../docs-site/testing/example-programs.ts'
import { ROOT } from '../../source-files.ts'
import type { ClientEnvironment, ClientOutcome, ClientStep } from '../client-step.ts'
import { createVenv } from '../ensure-programs.ts'
import { buildPythonPackage } from './build-python-package.ts'

const SOURCE = join(ROOT, 'sdk-python')
/** What checks it; its dependencies are installed with it. */
const TEST_PACKAGES = ['pytest==9.2.0', 'trio==0.35.0', 'ruff==0.17.6', 'pyright==1.1.414']

/** The examples of the reference, as one module. */
const REFERENCE = 'reference_examples.py'
/** Calls every example with the real models, and a client that returns whatever is read from it. */
const RUN_REFERENCE = `
import datetime, inspect, reference_examples
class Anything:
    def __getattr__(self, name): return self
    def __getitem__(self, index): return self
    def __call__(self, *args, **kwargs): return self
days = {name: datetime.date(2026, 11, 25) for name in ("today", "due_date", "month_ago")}
functions = [each for each in vars(reference_examples).values() if inspect.isfunction(each)]
for each in functions:
    names = inspect.signature(each).parameters
    each(**{name: days.get(name, Anything() if name in ("havn", "psu") else "9612.11") for name in names})
print(len(functions))
`

export const pythonSdkStep: ClientStep = {
  name: 'sdk-python',
  title: 'the Python client: wheel, README, types, tests',
  run: async (environment) => {
    const wheel = await buildWheel(environment)
    const examples = await runReadme(environment, wheel)
    const compiled = await checkSource(environment, wheel)
    const tests = await runTests(environment)
    environment.report(tests)
    return { language: 'Python', compiled, paid: `${examples} examples, ${tests}` } satisfies ClientOutcome
  },
}

/** Returns the wheel's path. */
async function buildWheel(environment: ClientEnvironment): Promise<string> {
  const dist = join(environment.folder, 'dist')
  const { wheel, names } = await buildPythonPackage({ folder: environment.folder, out: dist })
  environment.report(`built ${names.join(' and ')}`)
  return wheel
}

/** Runs every example of the README as pasted, with nothing but the wheel installed; returns how many there are. */
async function runReadme(environment: ClientEnvironment, wheel: string): Promise<number> {
  const programs = await createVenv(environment.folder, 'partner', [wheel])
  const readme = await readFile(join(SOURCE, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```python\n(.+?)^```/gms)].map(([, example = '']) => example)
  const { url } = await environment.gateway()
  for (const [index, example] of examples.entries()) {
    const file = join(environment.folder, `example-${index + 1}.py`)
    await writeFile(file, example)
    const printed = await environment.run(join(programs, 'python'), [file], { variables: { HAVN_URL: url } })
    environment.report(`example ${index + 1}: ${printed.trim().split('\n').at(-1)}`)
  }
  if (examples.length === 0) {
    throw new Error('sdk-python/README.md has no example in Python')
  }
  return examples.length
}

/** Format, lint and types of client, tests and README examples; returns the name of the type checker. */
async function checkSource(environment: ClientEnvironment, wheel: string): Promise<string> {
  const { folder, run } = environment
  const programs = await createVenv(folder, 'test', [wheel, ...TEST_PACKAGES])
  await run(join(programs, 'ruff'), ['format', '--no-cache', '--check', SOURCE])
  await run(join(programs, 'ruff'), ['check', '--no-cache', SOURCE])
  const python = ['--pythonpath', join(programs, 'python')]
  await run(join(programs, 'pyright'), [...python, '--warnings', '--project', SOURCE])
  await writeFile(join(folder, REFERENCE), pythonProgram(Object.values(operations)))
  const unused = { reportUnusedVariable: 'none', reportUnusedImport: 'none' }
  const settings = { include: ['example-*.py', REFERENCE], typeCheckingMode: 'strict', ...unused }
  await writeFile(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
  await run(join(programs, 'pyright'), [...python, '--warnings', '--project', folder])
  const called = await run(join(programs, 'python'), ['-c', RUN_REFERENCE], { folder })
  environment.report(`${called.trim()} examples of the reference`)
  return 'pyright'
}

/** Returns how many tests passed. */
async function runTests({ folder, run, gateway }: ClientEnvironment): Promise<string> {
  const { url } = await gateway()
  const printed = await run(join(folder, 'test', 'bin', 'pytest'), ['-q', '-p', 'no:cacheprovider'], {
    folder: SOURCE,
    variables: { HAVN_URL: url, PYTHONDONTWRITEBYTECODE: '1' },
  })
  return /^(\d+ passed).*$/m.exec(printed)?.[1] ?? printed.trim()
}
