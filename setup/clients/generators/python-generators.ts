/** Lists the generators of Python, from PyPI. */
import { join } from 'node:path'
import { ensurePython } from '../ensure-python.ts'
import type { ClientGenerator, ClientProject } from './generator-step.ts'

export const openApiPythonClient: ClientGenerator = {
  name: 'openapi-python-client',
  language: 'Python',
  project: 'python-openapi-python-client',
  generated: 'havn_client/api',
  generate: async (project) => {
    await installWithPip(project)
    const command =
      'openapi-python-client generate --url "$HAVN_URL/openapi.json" --meta none --output-path havn_client'
    await project.run('sh', ['-c', command], inEnvironment(project))
  },
  callOf: (operationId) => new RegExp(`/${snakeCase(operationId)}\\.py$`, 'm'),
  compile: compileWithPyright,
  pay: (project) => project.run('python', ['pay_invoice.py'], inEnvironment(project)),
}

/** Into a virtual environment of the project. */
async function installWithPip(project: ClientProject): Promise<void> {
  await ensurePython(project.folder)
  await project.run('python3', ['-m', 'venv', '.venv'])
  await project.run('python', ['-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'], inEnvironment(project))
}

async function compileWithPyright(project: ClientProject): Promise<string> {
  await project.run('pyright', ['--warnings'], inEnvironment(project))
  return 'pyright'
}

function inEnvironment({ folder }: ClientProject) {
  return { variables: { PATH: `${join(folder, '.venv', 'bin')}:${process.env['PATH'] ?? ''}` } }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
