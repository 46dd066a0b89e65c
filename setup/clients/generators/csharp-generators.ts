/** Lists the generators of C#, from Maven Central. */
import { isOnPath } from '../run-program.ts'
import type { ClientGenerator } from './generator-step.ts'
import { runOpenApiGenerator } from './openapi-generator.ts'

/** Compiled where a .NET SDK is installed: Debian, npm, PyPI and Maven Central have none. */
export const openApiGeneratorCSharp: ClientGenerator = {
  name: 'openapi-generator-csharp',
  language: 'C#',
  project: 'csharp-openapi-generator',
  generated: 'havn/src/Havn/Api',
  generate: runOpenApiGenerator,
  callOf: (operationId) => new RegExp(` ${upperFirst(operationId)}Async\\(`, 'm'),
  compile: async ({ run }) => {
    if (!(await isOnPath('dotnet'))) {
      return 'not compiled: no .NET'
    }
    await run('dotnet', ['build', 'havn/src/Havn'])
    return 'dotnet build'
  },
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
