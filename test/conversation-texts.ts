/** What customers ask for, by matter, in several languages; all of it made up. */
export const MATTERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  en: {
    password: ['How do I reset my password?', 'The link to reset my password has expired', 'I forgot my password and cannot log in', 'The e-mail with the password reset never arrives', 'My new password is not accepted', 'I want to change my password'],
    invoice: ['Where can I download my invoice?', 'The invoice for March is missing', 'I need an invoice with our VAT number', 'Can you send me last month\'s invoice again?', 'The download of the invoice fails', 'There is a wrong address on our invoice'],
    delivery: ['When will my parcel be delivered?', 'The delivery of my order is late', 'My parcel was delivered to a neighbour', 'Can I change the delivery address of my order?', 'The tracking says delivered but there is no parcel', 'How long does delivery take?'],
    refund: ['I want a refund for the broken lamp', 'When do I get my refund?', 'The refund has not been paid yet', 'How can I return this and get a refund?', 'I was refunded less than I paid', 'Is a refund possible after 30 days?'],
  },
  es: {
    contraseña: ['¿Cómo puedo restablecer mi contraseña?', 'El enlace para cambiar la contraseña ha caducado', 'He olvidado mi contraseña y no puedo entrar', 'No me llega el correo para restablecer la contraseña', 'La nueva contraseña no funciona', 'Quiero cambiar la contraseña de mi cuenta'],
    factura: ['¿Dónde puedo descargar la factura?', 'Falta la factura de marzo', 'Necesito una factura con nuestro CIF', '¿Pueden enviarme otra vez la factura del mes pasado?', 'La descarga de la factura falla', 'Las facturas tienen una dirección equivocada'],
    envío: ['¿Cuándo llega mi paquete?', 'El envío de mi pedido se retrasa', 'Han entregado mi paquete a un vecino', '¿Puedo cambiar la dirección de envío del pedido?', 'El seguimiento dice que el paquete está entregado', '¿Cuánto tarda el envío de un pedido?'],
    reembolso: ['Quiero el reembolso de la lámpara rota', '¿Cuándo recibo mi reembolso?', 'El reembolso todavía no está pagado', '¿Cómo devuelvo el producto y pido el reembolso?', 'El reembolso es menor de lo que pagué', '¿Es posible un reembolso después de 30 días?'],
  },
  de: {
    passwort: ['Wie kann ich mein Passwort zurücksetzen?', 'Der Link zum Zurücksetzen des Passworts ist abgelaufen', 'Ich habe mein Passwort vergessen und kann mich nicht anmelden', 'Die E-Mail für das neue Passwort kommt nicht an', 'Mein neues Passwort wird nicht angenommen', 'Ich möchte das Passwort meines Kontos ändern'],
    rechnung: ['Wo kann ich meine Rechnung herunterladen?', 'Die Rechnung für März fehlt', 'Ich brauche eine Rechnung mit unserer Umsatzsteuernummer', 'Können Sie mir die Rechnung vom letzten Monat noch einmal schicken?', 'Auf der Rechnung steht eine falsche Adresse', 'Das Herunterladen der Rechnungen klappt nicht'],
    lieferung: ['Wann wird mein Paket geliefert?', 'Die Lieferung meiner Bestellung verspätet sich', 'Mein Paket wurde beim Nachbarn abgegeben', 'Kann ich die Lieferadresse der Bestellung noch ändern?', 'Laut Sendungsverfolgung ist das Paket geliefert', 'Wie lange dauert die Lieferung einer Bestellung?'],
    erstattung: ['Ich möchte eine Erstattung für die kaputte Lampe', 'Wann bekomme ich meine Erstattung?', 'Die Erstattung ist noch nicht auf meinem Konto', 'Wie bekomme ich nach der Rückgabe eine Erstattung?', 'Die Erstattung ist niedriger als der Kaufpreis', 'Ist eine Erstattung nach 30 Tagen möglich?'],
  },
  ja: {
    パスワード: ['パスワードを再設定するにはどうすればよいですか？', 'パスワード再設定のリンクの期限が切れています', 'パスワードを忘れてログインできません', 'パスワード再設定のメールが届きません', '新しいパスワードが使えません', 'アカウントのパスワードを変更したいです'],
    請求書: ['請求書はどこでダウンロードできますか？', '3月の請求書がありません', '会社名の入った請求書が必要です', '先月の請求書をもう一度送ってください', '請求書のダウンロードに失敗します', '請求書の住所が間違っています'],
    配送: ['荷物の配送はいつになりますか？', '注文した商品の配送が遅れています', '荷物が隣の家に配送されました', '注文の配送先を変更できますか？', '配送済みと表示されますが荷物がありません', '注文の配送にはどのくらいかかりますか？'],
    返金: ['壊れたランプの返金をお願いします', '返金はいつ受け取れますか？', 'まだ返金されていません', '返品して返金してもらうにはどうすればよいですか？', '返金額が支払った金額より少ないです', '30日を過ぎても返金は可能ですか？'],
  },
};
