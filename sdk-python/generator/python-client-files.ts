/** Generates the files of the Python client from the OpenAPI document. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { clientMethodsOf } from './client-methods.ts'
import { collectDefinitions } from './model-definitions.ts'
import type { OpenApiDocument } from './openapi-types.ts'
import { eventsModule } from './write-events.ts'
import { methodsModule } from './write-methods.ts'
import { modelsModule } from './write-models.ts'
import { operationsModule } from './write-operations.ts'

/** The text of each generated file by its path in `src/havn/`. */
export function pythonClientFiles(document: OpenApiDocument): Readonly<Record<string, string>> {
  const definitions = collectDefinitions(document)
  const methods = clientMethodsOf(document, definitions)
  const events = eventsModule(document, definitions)
  return {
    'models.py': modelsModule(definitions.all()),
    '_generated/operations.py': operationsModule(methods, scopesByEnvironment),
    '_generated/methods.py': methodsModule(methods, 'sync'),
    '_generated/async_methods.py': methodsModule(methods, 'async'),
    '_generated/events.py': events,
  }
}
