/* dump STUB [-t MIN MAX] [-d PROCESS] [-n LIMIT] [-u]: every record that the real libopen-trace-format delivers, a line each. What our
 * reader is held against: -t interval [MIN,MAX), -d disable a process, -n record limit per call, repeated, -u unsorted.
 * build: gcc -O1 -I/usr/include/open-trace-format -o dump dump.c -lopen-trace-format -lz */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>
#include <otf.h>
#define U "%" PRIu64
typedef uint64_t Q; typedef uint32_t H; typedef const char*S; typedef OTF_KeyValueList*K;
static S q(S s){ static char b[8][8192]; static int n; char*o=b[n++&7],*p=o; if(!s) return "NULL"; *p++='"'; for(;*s&&p<o+8000;s++){ if((unsigned char)*s<32||(unsigned char)*s>126||*s=='\\') p+=sprintf(p,"\\x%02x",(unsigned char)*s); else *p++=*s;} *p++='"'; *p=0; return o;}
static int f1(void*u,H st,S c,K k){printf("DefinitionComment stream=%u %s\n",st,q(c));return 0;}
static int f2(void*u,H st,Q t,K k){printf("DefTimerResolution stream=%u " U "\n",st,t);return 0;}
static int f3(void*u,H st,H p,S n,H par,K k){printf("DefProcess stream=%u %u %s parent=%u\n",st,p,q(n),par);return 0;}
static int f4(void*u,H st,H g,S n,H c,const H*a,K k){H i;printf("DefProcessGroup stream=%u %u %s [",st,g,q(n));for(i=0;i<c;i++)printf("%s%u",i?",":"",a[i]);puts("]");return 0;}
static int f5(void*u,H st,H f,S n,H g,H s,K k){printf("DefFunction stream=%u %u %s group=%u scl=%u\n",st,f,q(n),g,s);return 0;}
static int f6(void*u,H st,H g,S n,K k){printf("DefFunctionGroup stream=%u %u %s\n",st,g,q(n));return 0;}
static int f7(void*u,H st,H c,S n,H t,K k){printf("DefCollectiveOperation stream=%u %u %s type=%u\n",st,c,q(n),t);return 0;}
static int f8(void*u,H st,H c,S n,H p,H g,S un,K k){printf("DefCounter stream=%u %u %s prop=%u group=%u unit=%s\n",st,c,q(n),p,g,q(un));return 0;}
static int f9(void*u,H st,H g,S n,K k){printf("DefCounterGroup stream=%u %u %s\n",st,g,q(n));return 0;}
static int f10(void*u,H st,H s,H f,H l,K k){printf("DefScl stream=%u %u file=%u line=%u\n",st,s,f,l);return 0;}
static int f11(void*u,H st,H f,S n,K k){printf("DefSclFile stream=%u %u %s\n",st,f,q(n));return 0;}
static int f12(void*u,H st,S c,K k){printf("DefCreator stream=%u %s\n",st,q(c));return 0;}
static int f13(void*u,H st,uint8_t a,uint8_t b,uint8_t c,S s,K k){printf("DefVersion stream=%u %u.%u.%u %s\n",st,a,b,c,q(s));return 0;}
static int e1(void*u,Q t,H f,H p,H s,K k){printf("Enter " U " func=%u proc=%u scl=%u\n",t,f,p,s);return 0;}
static int e2(void*u,Q t,H f,H p,H s,K k){printf("Leave " U " func=%u proc=%u scl=%u\n",t,f,p,s);return 0;}
static int e3(void*u,Q t,H a,H b,H g,H y,H l,H s,K k){printf("SendMsg " U " sender=%u receiver=%u group=%u type=%u len=%u scl=%u\n",t,a,b,g,y,l,s);return 0;}
static int e4(void*u,Q t,H a,H b,H g,H y,H l,H s,K k){printf("RecvMsg " U " receiver=%u sender=%u group=%u type=%u len=%u scl=%u\n",t,a,b,g,y,l,s);return 0;}
static int e5(void*u,Q t,H p,H c,Q v,K k){printf("Counter " U " proc=%u counter=%u value=" U "\n",t,p,c,v);return 0;}
static int e6(void*u,Q t,H p,H c,H g,H r,H a,H b,Q d,H s,K k){printf("CollectiveOperation " U " proc=%u coll=%u group=%u root=%u sent=%u recv=%u dur=" U " scl=%u\n",t,p,c,g,r,a,b,d,s);return 0;}
static int e7(void*u,Q t,H p,S c,K k){printf("EventComment " U " proc=%u %s\n",t,p,q(c));return 0;}
static int e8(void*u,Q t,H p,K k){printf("BeginProcess " U " proc=%u\n",t,p);return 0;}
static int e9(void*u,Q t,H p,K k){printf("EndProcess " U " proc=%u\n",t,p);return 0;}
static int s1(void*u,Q t,H p,S c,K k){printf("SnapshotComment " U " proc=%u %s\n",t,p,q(c));return 0;}
static int s2(void*u,Q t,Q o,H f,H p,H s,K k){printf("EnterSnapshot " U " otime=" U " func=%u proc=%u scl=%u\n",t,o,f,p,s);return 0;}
static int s3(void*u,Q t,Q o,H a,H b,H g,H y,H l,H s,K k){printf("SendSnapshot " U " otime=" U " sender=%u receiver=%u group=%u tag=%u len=%u scl=%u\n",t,o,a,b,g,y,l,s);return 0;}
static int t1(void*u,Q t,H p,S c,K k){printf("SummaryComment " U " proc=%u %s\n",t,p,q(c));return 0;}
static int t2(void*u,Q t,H f,H p,Q n,Q e,Q i,K k){printf("FunctionSummary " U " func=%u proc=%u n=" U " excl=" U " incl=" U "\n",t,f,p,n,e,i);return 0;}
static int t3(void*u,Q t,H f,H p,Q n,Q e,Q i,K k){printf("FunctionGroupSummary " U " group=%u proc=%u n=" U " excl=" U " incl=" U "\n",t,f,p,n,e,i);return 0;}
static int t4(void*u,Q t,H p,H pe,H c,H y,Q a,Q b,Q d,Q e,K k){printf("MessageSummary " U " proc=%u peer=%u comm=%u type=%u nsent=" U " nrecv=" U " bsent=" U " brecv=" U "\n",t,p,pe,c,y,a,b,d,e);return 0;}
static int un(void*u,Q t,H p,S r){if(t==(Q)-1)printf("Unknown def stream=%u %s\n",p,q(r));else printf("Unknown " U " proc=%u %s\n",t,p,q(r));return 0;}
#define R(f,r) OTF_HandlerArray_setHandler(h,(OTF_FunctionPointer*)f,OTF_##r##_RECORD)
int main(int c,char**v){ int i,lim=0,uns=0; Q k;
 OTF_FileManager*m=OTF_FileManager_open(100);OTF_HandlerArray*h=OTF_HandlerArray_open();OTF_Reader*r=c>1?OTF_Reader_open(v[1],m):0; if(!r){puts("OPEN FAILED");return 1;}
 for(i=2;i<c;i++){ if(!strcmp(v[i],"-t")){OTF_Reader_setTimeInterval(r,strtoull(v[i+1],0,0),strtoull(v[i+2],0,0));i+=2;} else if(!strcmp(v[i],"-d"))OTF_Reader_setProcessStatus(r,strtoul(v[++i],0,0),0); else if(!strcmp(v[i],"-n"))lim=atoi(v[++i]); else if(!strcmp(v[i],"-u"))uns=1; }
 R(f1,DEFINITIONCOMMENT);R(f2,DEFTIMERRESOLUTION);R(f3,DEFPROCESS);R(f4,DEFPROCESSGROUP);R(f5,DEFFUNCTION);R(f6,DEFFUNCTIONGROUP);R(f7,DEFCOLLOP);R(f8,DEFCOUNTER);R(f9,DEFCOUNTERGROUP);R(f10,DEFSCL);R(f11,DEFSCLFILE);R(f12,DEFCREATOR);R(f13,DEFVERSION);
 R(e1,ENTER);R(e2,LEAVE);R(e3,SEND);R(e4,RECEIVE);R(e5,COUNTER);R(e6,COLLOP);R(e7,EVENTCOMMENT);R(e8,BEGINPROCESS);R(e9,ENDPROCESS);R(s1,SNAPSHOTCOMMENT);R(s2,ENTERSNAPSHOT);R(s3,SENDSNAPSHOT);R(t1,SUMMARYCOMMENT);R(t2,FUNCTIONSUMMARY);R(t3,FUNCTIONGROUPSUMMARY);R(t4,MESSAGESUMMARY);R(un,UNKNOWN);
 if(lim) OTF_Reader_setRecordLimit(r,lim);
#define RUN(name,call) do{ do{ k=(call); printf("-- %s returned %lld\n",name,(long long)k);}while(lim&&k==(Q)lim);}while(0)
 RUN("readDefinitions",OTF_Reader_readDefinitions(r,h)); RUN("readEvents",uns?OTF_Reader_readEventsUnsorted(r,h):OTF_Reader_readEvents(r,h)); RUN("readSnapshots",OTF_Reader_readSnapshots(r,h)); RUN("readStatistics",OTF_Reader_readStatistics(r,h));
 OTF_Reader_close(r); return 0;}
