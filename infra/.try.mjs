import { startSandbox } from '../sandbox/sandbox.ts';
import { createOnrampClient } from '../client/onramp-client.ts';
import { generateSync } from 'otplib';
import { SFNClient, GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
const s = await startSandbox({ onLog: (l)=>console.log('LOG', l.functionName, l.line.slice(0,600)) });
const o = createOnrampClient({ apiKey: s.apiKey, baseUrl: s.url });
const kyc=await o.submitKyc({ cpf:'529.982.247-25', biometricHash:`sha256:${'ab'.repeat(32)}`});
const t=await o.initiateTransaction({kycToken:kyc.token,amountBrl:250,asset:'USDC',walletAddress:'0x8ba1f109551bD432803012645Ac136ddd64DBA72'});
await o.confirmMfa({transactionId:t.transactionId,totpCode:generateSync({secret:new URL(t.authChallenge.enrollment.otpauthUri).searchParams.get('secret')})});
const t0=Date.now();
await o.sandbox.pay(t.transactionId).catch(e=>console.log('PAYFAILED',e.code, Date.now()-t0)); 
let st; while (Date.now()-t0<12000){ st=await o.getTransactionStatus(t.transactionId); if(st.status==='COMPLETED')break; await new Promise(r=>setTimeout(r,200)); }
console.log(st.status, Date.now()-t0);
if (st.status!=='COMPLETED'){ const c=new SFNClient({endpoint:s.cloud.endpoint,region:s.cloud.region,credentials:{accessKeyId:'operator',secretAccessKey:'operator'}});
 const h=await c.send(new GetExecutionHistoryCommand({executionArn:`arn:aws:states:us-east-1:000000000000:execution:onramp-sandbox:${t.transactionId}`,maxResults:200}));
 for(const e of h.events) console.log(e.timestamp?.toISOString?.().slice(17),e.type,JSON.stringify({...e,timestamp:0,type:0,id:0,previousEventId:0}).slice(0,330));
 console.log(s.cloud.apis); const r=await fetch(s.cloud.apis['onramp-simulators']+'/control/psp/callbacks').then(r=>r.text()); console.log('CALLBACKS',r); }
await s.stop(); process.exit(0);
