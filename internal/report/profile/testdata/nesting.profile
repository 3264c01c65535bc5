{"opari_profile":2,"program":"./nesting","pid":10801,"wall_ns":310073332,"threads":2,"lost":0,"clock":"tsc"}
{"region":1,"name":"parallel","sub_name":"","directive":"parallel","file":"nesting.c","begin":[20,20],"end":[33,33],"outer":0,"kind":"parallel","num_sections":0,"facts":12}
{"path":1,"parent":0,"region":1}
{"path":1,"thread":0,"count":1,"incl":309883867,"excl":9762170,"min":309883867,"max":309883867,"body":309124985,"barrier":101005,"wait":0,"hold":0}
{"region":2,"name":"single","sub_name":"","directive":"single","file":"nesting.c","begin":[24,24],"end":[29,29],"outer":1,"kind":"single","num_sections":0,"facts":0}
{"path":2,"parent":1,"region":2}
{"path":2,"thread":0,"count":3,"incl":300121697,"excl":61442,"min":100037541,"max":100043850,"body":600142091,"barrier":47900,"wait":0,"hold":0}
{"region":3,"name":"parallel","sub_name":"","directive":"parallel for","file":"nesting.c","begin":[11,11],"end":[13,13],"outer":0,"kind":"parallel","num_sections":0,"facts":0}
{"path":3,"parent":2,"region":3}
{"path":3,"thread":0,"count":3,"incl":300060255,"excl":35444,"min":100016151,"max":100026143,"body":300027813,"barrier":0,"wait":0,"hold":0}
{"region":4,"name":"for","sub_name":"","directive":"parallel for","file":"nesting.c","begin":[11,11],"end":[13,13],"outer":3,"kind":"for","num_sections":0,"facts":0}
{"path":4,"parent":3,"region":4}
{"path":4,"thread":0,"count":3,"incl":300024812,"excl":300024812,"min":100006051,"max":100009480,"body":300024812,"barrier":0,"wait":0,"hold":0}
{"path":1,"thread":1,"count":1,"incl":309225659,"excl":9020063,"min":309225659,"max":309225659,"body":309218986,"barrier":6673,"wait":0,"hold":0}
{"path":2,"thread":1,"count":3,"incl":300205596,"excl":300205596,"min":100038689,"max":100127019,"body":8777,"barrier":300196819,"wait":0,"hold":0}
