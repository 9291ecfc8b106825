import { PDFDocument, type PDFFont, type PDFPage, PDFString, rgb, StandardFonts } from '@cantoo/pdf-lib';
import type { Receipt } from '../../domain/purchase/receipt.ts';
import { brlIn, decimalIn, timeIn } from '../../domain/wording.ts';

const A4 = { width: 595, height: 842 } as const;
const MARGIN = 56;
const TITLE_SIZE = 22;
const VALUE_SIZE = 11;
const LABEL_SIZE = 8;
const ROW_HEIGHT = 34;
const GROUP_GAP = 12;
const TITLE_HEIGHT = 72;
const INK = rgb(0.1, 0.12, 0.16);
const GREY = rgb(0.42, 0.45, 0.5);
const LINE = rgb(0.85, 0.87, 0.9);

type Row = { label: string; value: string; url?: string };

/** Draws the receipt on one page, in Portuguese with English labels. The same receipt always gives the same bytes. */
export async function receiptPdf(receipt: Receipt): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const at = new Date(receipt.delivery.deliveredAt);
  pdf.setTitle(`Comprovante ${receipt.transactionId}`);
  pdf.setLanguage('pt-BR');
  pdf.setCreationDate(at);
  pdf.setModificationDate(at);
  const [bold, plain] = [
    await pdf.embedFont(StandardFonts.HelveticaBold),
    await pdf.embedFont(StandardFonts.Helvetica),
  ];
  const page = pdf.addPage([A4.width, A4.height]);
  drawTitle(page, receipt, { bold, plain });
  drawGroups(page, receipt, { bold, plain });
  return pdf.save();
}

type Fonts = { bold: PDFFont; plain: PDFFont };

function drawTitle(page: PDFPage, { partner }: Receipt, { bold, plain }: Fonts): void {
  const y = A4.height - MARGIN - TITLE_SIZE;
  page.drawText('Comprovante de compra', { x: MARGIN, y, size: TITLE_SIZE, font: bold, color: INK });
  const under = drawable(`Purchase receipt · ${partner}`, plain);
  const size = fitted(under, plain);
  page.drawText(under, { x: MARGIN, y: y - 20, size, font: plain, color: GREY });
}

function drawGroups(page: PDFPage, receipt: Receipt, fonts: Fonts): void {
  let y = A4.height - MARGIN - TITLE_HEIGHT;
  for (const rows of groupsOf(receipt)) {
    page.drawLine({ start: { x: MARGIN, y }, end: { x: A4.width - MARGIN, y }, thickness: 0.7, color: LINE });
    y -= GROUP_GAP;
    for (const row of rows) y = drawRow(page, { ...row, y }, fonts);
    y -= GROUP_GAP / 2;
  }
}

/** Draws one row, and answers the height at which the next row begins. */
function drawRow(
  page: PDFPage,
  { label, value, url, y }: Row & { y: number },
  { bold, plain }: Fonts,
): number {
  page.drawText(label, { x: MARGIN, y: y - LABEL_SIZE, size: LABEL_SIZE, font: plain, color: GREY });
  const text = drawable(value, bold);
  const size = fitted(text, bold);
  const base = y - LABEL_SIZE - VALUE_SIZE - 3;
  page.drawText(text, { x: MARGIN, y: base, size, font: bold, color: INK });
  if (url) addLink(page, { url, y: base, width: bold.widthOfTextAtSize(text, size) });
  return y - ROW_HEIGHT;
}

/** The font size at which the text fits into one line, at most `VALUE_SIZE`. */
function fitted(text: string, font: PDFFont): number {
  const room = A4.width - 2 * MARGIN;
  return Math.min(VALUE_SIZE, (VALUE_SIZE * room) / font.widthOfTextAtSize(text, VALUE_SIZE));
}

/**
 * Replaces letters that the fonts do not have by a question mark. A PDF's standard fonts have the letters of Western
 * Europe, and a partner's name may have others.
 */
function drawable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  return [...text].map((letter) => (known.has(letter.codePointAt(0) ?? 0) ? letter : '?')).join('');
}

function addLink(page: PDFPage, { url, y, width }: { url: string; y: number; width: number }): void {
  const { context } = page.doc;
  const annotation = {
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [MARGIN, y - 2, MARGIN + width, y + VALUE_SIZE],
    Border: [0, 0, 0],
    A: { Type: 'Action', S: 'URI', URI: PDFString.of(url) },
  };
  page.node.addAnnot(context.register(context.obj(annotation)));
}

const time = (iso: string) => `${timeIn('pt', Date.parse(iso))} (horário de São Paulo)`;
const receiptReais = (amountBrl: number) => brlIn('pt', Math.round(amountBrl * 100));
const comma = (decimal: string) => decimalIn('pt', decimal);

function groupsOf({ transactionId, externalId, openedAt, payment, price, delivery }: Receipt): Row[][] {
  const { asset, explorerUrl } = delivery;
  const taxes = price.taxes.map(({ name, amountBrl }) => ({
    label: `Imposto: ${name} · Tax`,
    value: receiptReais(amountBrl),
  }));
  return [
    [
      { label: 'Valor pago · Amount paid', value: receiptReais(payment.amountBrl) },
      { label: 'Valor recebido · Amount received', value: `${comma(delivery.assetAmount)} ${asset}` },
    ],
    [
      { label: `Cotação por ${asset}, com a tarifa · Rate, fee included`, value: `R$ ${comma(price.rate)}` },
      { label: 'Tarifa, incluída no valor pago · Fee, included', value: receiptReais(price.feeBrl) },
      ...taxes,
    ],
    [
      { label: 'Pago por Pix em · Paid by Pix on', value: time(payment.paidAt) },
      { label: 'Identificador do Pix · End-to-end id', value: payment.endToEndId },
    ],
    [
      { label: 'Enviado em · Sent on', value: time(delivery.deliveredAt) },
      { label: 'Carteira · Wallet', value: delivery.walletAddress },
      { label: 'Hash da transação na rede · Transaction hash', value: delivery.txHash },
      ...(explorerUrl ? [{ label: 'Consulta · Explorer', value: explorerUrl, url: explorerUrl }] : []),
    ],
    [
      { label: 'Compra · Purchase', value: transactionId },
      ...(externalId ? [{ label: 'Referência · Reference', value: externalId }] : []),
      { label: 'Aberta em · Opened on', value: time(openedAt) },
    ],
  ];
}
