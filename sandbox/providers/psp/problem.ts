import { randomUUID } from 'node:crypto';
import { HTTPException } from 'hono/http-exception';

// Types, titles and details of the errors, as the document of API Pix 2.9 has them ("Tratamento de erros" and
// examples).
const COB_INVALIDA =
  'A requisição que busca alterar ou criar uma cobrança para pagamento imediato não respeita o _schema_ ' +
  'ou está semanticamente errada.';
const CONSULTA_INVALIDA =
  'Os parâmetros de consulta não respeitam o _schema_ ou não fazem sentido semanticamente.';

const problems = {
  RequisicaoInvalida: [400, 'Requisição inválida', 'Requisição inválida.'],
  AcessoNegado: [
    403,
    'Acesso Negado',
    'Requisição de participante autenticado que viola alguma regra de autorização.',
  ],
  NaoEncontrado: [404, 'Não Encontrado', 'Entidade não encontrada.'],
  ServicoIndisponivel: [
    503,
    'Serviço Indisponível',
    'Serviço não está disponível no momento. Serviço solicitado pode estar em manutenção ou fora da janela ' +
      'de funcionamento.',
  ],
  ErroInternoDoServidor: [500, 'Erro interno', 'Condição inesperada ao processar requisição.'],
  CobNaoEncontrado: [404, 'Não Encontrado', 'Cobrança não encontrada para o txid informado.'],
  CobOperacaoInvalida: [400, 'Cobrança inválida.', COB_INVALIDA],
  CobConsultaInvalida: [400, 'Consulta inválida.', CONSULTA_INVALIDA],
  CobPayloadNaoEncontrado: [404, 'Não Encontrado', 'Cobrança não encontrada para a location requisitada.'],
  PixNaoEncontrado: [404, 'Não Encontrado', 'Pix não encontrado para o e2eid informado.'],
  PixConsultaInvalida: [400, 'Consulta inválida.', CONSULTA_INVALIDA],
  PixDevolucaoNaoEncontrada: [404, 'Não Encontrado', 'Devolução não encontrada para o e2eid informado.'],
  PixDevolucaoInvalida: [
    400,
    'Devolução inválida.',
    'A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente.',
  ],
  WebhookNaoEncontrado: [404, 'Não Encontrado', 'Webhook não encontrado para a chave informada.'],
  WebhookOperacaoInvalida: [
    400,
    'Webhook inválido.',
    'A presente requisição busca criar um webhook sem respeitar o _schema_ ou, ainda, com sentido ' +
      'semanticamente inválido.',
  ],
} as const;

export type ProblemType = keyof typeof problems;
export type Violation = { razao: string; propriedade: string; valor?: string };

export function problemResponse(type: ProblemType, violacoes: Violation[] = []): Response {
  const [status, title, detail] = problems[type];
  const body = {
    type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
    title,
    status,
    detail,
    correlationId: randomUUID(),
    ...(violacoes.length > 0 && { violacoes }),
  };
  return json(body, status);
}

/** Throws this error, which ends the request. The error handler in `psp.ts` sends its answer. */
export function fail(type: ProblemType, violacoes: Violation[] = []): never {
  throw new HTTPException(problems[type][0], { res: problemResponse(type, violacoes) });
}

/**
 * Throws a 401, which API Pix does not define. The answer has the header of RFC 6750 and no error type of the
 * Central Bank, like the answers of real PSPs' gateways.
 */
export function failUnauthorized(description: string): never {
  const body = { type: 'about:blank', title: 'Unauthorized', status: 401, detail: description };
  const header = `Bearer error="invalid_token", error_description="${description}"`;
  throw new HTTPException(401, { res: json(body, 401, { 'www-authenticate': header }) });
}

function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}

export function notSchemaQuery(propriedade: string, valor?: string): Violation {
  const razao = `O parâmetro ${propriedade} não respeita o _schema_.`;
  return valor === undefined ? { razao, propriedade } : { razao, propriedade, valor };
}
